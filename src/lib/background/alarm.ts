/** An alarm to sleep on. A ring while nobody sleeps ends the next sleep at once. */
export interface Alarm {
  ring(): void
  sleep(milliseconds: number): Promise<void>
}

export function createAlarm(): Alarm {
  let rung = false
  let wakeSleeper = () => {}
  return {
    ring() {
      rung = true
      wakeSleeper()
    },
    async sleep(milliseconds) {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds)
          wakeSleeper = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      rung = false
    },
  }
}
