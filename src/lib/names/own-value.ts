/** Returns the value of a key that people choose; undefined for one that every object inherits, such as `constructor`. */
export function ownValue<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined
}
