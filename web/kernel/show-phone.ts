/** "(512) 555-0142" for a number of the United States, with +1 or without; anything else as it is. */
export const showPhone = (phone: string): string => phone.replace(/^(?:\+1)?(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
