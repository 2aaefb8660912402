/** What to say when somebody else saved the same thing (`entry`, `webhook`) while a person had it open. */
export function outdatedMessage(thing: string): string {
  return `Somebody else saved this ${thing} after you had opened it. Nothing of yours was saved yet: save again to replace their version, or open the ${thing} anew to see it.`
}
