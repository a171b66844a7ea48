/** "1,500" and "1500" are numbers; anything but digits and commas is none, so that the rule speaks. */
export const typedLimit = (typed: string) => (/^\d[\d,]*$/.test(typed.trim()) ? Number(typed.replaceAll(',', '')) : NaN)
