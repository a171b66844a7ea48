export const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

export const pluralize = (count: number, singular: string, plural = `${singular}s`) =>
  `${count} ${count === 1 ? singular : plural}`

/** Formats a US number as "(512) 555-0142". Returns other numbers unchanged. */
export const formatPhone = (phone: string): string => {
  const number = /^(?:\+?1)?(\d{3})(\d{3})(\d{4})$/.exec(phone.replace(/[\s().-]/g, ''))
  return number ? `(${number[1]}) ${number[2]}-${number[3]}` : phone
}

export const phoneHref = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`

/** `joinNonEmpty(['May 3', isLate && 'late'])` is "May 3, late" or "May 3". */
export const joinNonEmpty = (parts: readonly unknown[], separator = ', '): string =>
  parts.filter(Boolean).join(separator)
