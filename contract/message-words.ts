export const SAMPLE_NAME = 'Alex'

/** `{name}` becomes the first name; nothing else is substituted. */
export const textFor = (template: string, name: string): string => template.replaceAll('{name}', () => name.trim().split(/\s+/, 1)[0] ?? '')
