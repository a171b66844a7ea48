type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<S>
/** DATABASE_URL as databaseUrl. */
export type InCamelCase<T> = { [Name in keyof T as CamelCase<Name & string>]: T[Name] }

const camelCase = (name: string) =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The values of these names; undefined where there is none. */
export const inCamelCase = <T extends object>(
  values: T,
  names: (keyof T & string)[],
): InCamelCase<T> =>
  Object.fromEntries(names.map((name) => [camelCase(name), values[name]])) as InCamelCase<T>
