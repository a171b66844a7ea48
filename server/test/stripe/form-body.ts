/** Values of a form with brackets in their names, as Stripe's library sends them. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

/** "line_items[0][quantity]" → ["line_items", "0", "quantity"] */
const pathOf = (name: string): string[] => name.split('[').map((part) => part.replace(/\]$/, ''))

/** Parses `line_items[0][quantity]=1` to `{ line_items: [{ quantity: '1' }] }`. */
export function parseForm(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = pathOf(name)
    const lastPart = path.pop() ?? ''
    let parent = form
    for (const part of path) {
      const child = parent[part]
      const next = typeof child === 'object' && !Array.isArray(child) ? child : {}
      parent[part] = next
      parent = next
    }
    parent[lastPart] = value
  }
  return withLists(form) as Form
}

/** Turns objects with the names 0, 1, 2 … into lists. */
function withLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const names = Object.keys(value)
  const isList = names.length > 0 && names.every((name, index) => name === String(index))
  if (isList) return Object.values(value).map(withLists)
  return Object.fromEntries(names.map((name) => [name, withLists(value[name] ?? '')]))
}

/** The text of a field, or undefined. */
export const textOf = (form: Form, name: string): string | undefined => {
  const value = form[name]
  return typeof value === 'string' ? value : undefined
}

/** An object within the form, or an empty one. */
export function objectOf(form: Form, name: string): Form {
  const value = form[name]
  return typeof value === 'object' && !Array.isArray(value) ? value : {}
}

/** The objects of a list within the form. */
export function listOf(form: Form, name: string): Form[] {
  const value = form[name]
  if (!Array.isArray(value)) return []
  return value.filter((item): item is Form => typeof item === 'object' && !Array.isArray(item))
}

/** A flat object of texts, such as `metadata`. */
export const textsOf = (form: Form, name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(objectOf(form, name)).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    ),
  )
