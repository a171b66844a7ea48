/** What the super admin sees of a dojo's name (specification, section 2). */
export const dojoShown = (name: string | null) =>
  name?.trim() ? { name, branding: 'Custom Branding' } : { name: 'Not Set', branding: 'Default Branding' }

/** "(512) 555-0100" for the ten digits of a registration; anything else as it was typed. */
export const phoneShown = (number: string) => number.replace(/^(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')

export const studentCount = (count: number) => (count === 1 ? '1 student' : `${count} students`)
