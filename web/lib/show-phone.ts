/** "(512) 555-0142" for a number of the United States, however it is written; anything else as it is. */
export const showPhone = (phone: string): string => {
  const number = /^(?:\+?1)?(\d{3})(\d{3})(\d{4})$/.exec(phone.replace(/[\s().-]/g, ''))
  return number ? `(${number[1]}) ${number[2]}-${number[3]}` : phone
}
