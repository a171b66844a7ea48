type Child = Node | string | null | undefined | false
type Attributes = Record<string, string | boolean | undefined | ((event: Event) => void)>

/** Creates an element. Attributes that begin with "on" are listeners. Texts are never markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value)
    else if (value === true) node.setAttribute(name, '')
    else if (typeof value === 'string') node.setAttribute(name, value)
  }
  node.append(...children.filter((child): child is Node | string => Boolean(child)))
  return node
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** A label, an input and a place for its error. The name of the input is also its id. */
export function field(label: string, input: Input, hint?: string): HTMLElement {
  const errorId = `${input.name}-error`
  input.id = input.name
  input.setAttribute('aria-describedby', hint ? `${input.name}-hint ${errorId}` : errorId)
  return element(
    'div',
    { class: 'field' },
    element('label', { for: input.name }, label),
    hint && element('span', { class: 'dim', id: `${input.name}-hint` }, hint),
    input,
    element('span', { class: 'error', id: errorId }),
  )
}

export function choices(
  legend: string,
  name: string,
  options: readonly (readonly [value: string, label: string])[],
  onchange: () => void = () => {},
): HTMLElement {
  const rows = options.map(([value, label]) =>
    element(
      'label',
      { class: 'choice' },
      element('input', { type: 'radio', name, value, onchange }),
      label,
    ),
  )
  return element(
    'fieldset',
    { 'aria-describedby': `${name}-error` },
    element('legend', {}, legend),
    ...rows,
    element('span', { class: 'error', id: `${name}-error` }),
  )
}

export const select = (
  name: string,
  options: readonly (readonly [value: string, label: string])[],
): HTMLSelectElement =>
  element(
    'select',
    { name },
    ...options.map(([value, label]) => element('option', { value }, label)),
  )

/** Finds a part of the page that must be there. */
export function findPart(selector: string, root: ParentNode = document): HTMLElement {
  const part = root.querySelector<HTMLElement>(selector)
  if (!part) throw new Error(`This page has no ${selector}`)
  return part
}
