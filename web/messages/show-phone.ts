/** "+15125550142" as it is written in the United States, "(512) 555-0142"; other countries' numbers as they are. */
export const showPhone = (phone: string): string => phone.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')
