import { LANGUAGES, type Language } from '@tatami/contract/public-page/public-page'
import { utcMidnight } from '@tatami/contract/lib/calendar-day'

const LOCALES: Record<Language, string> = { en: 'en-US', es: 'es-US' }

const isLanguage = (text: string): text is Language =>
  LANGUAGES.some((language) => language === text)

/** The language that a reader chose on the page, or else the first that the browser asks for. */
export function languageFor(chosenLanguage: unknown, acceptLanguage = ''): Language {
  if (typeof chosenLanguage === 'string' && isLanguage(chosenLanguage)) return chosenLanguage
  const preferences = acceptLanguage.split(',').map((entry) => {
    const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';')
    const weight = /q=([\d.]+)/.exec(parameters.join(';'))?.[1]
    return { language: tag.slice(0, 2), weight: weight === undefined ? 1 : Number(weight) }
  })
  const sortedPreferences = preferences.toSorted((a, b) => b.weight - a.weight)
  const match = sortedPreferences.find(({ language, weight }) => weight > 0 && isLanguage(language))
  return match && isLanguage(match.language) ? match.language : 'en'
}

const dayFormats = new Map<Language, Intl.DateTimeFormat>()

/** "Tuesday, December 1" */
export function formatDayIn(language: Language, day: string): string {
  const format =
    dayFormats.get(language) ??
    new Intl.DateTimeFormat(LOCALES[language], {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
      timeZone: 'UTC',
    })
  dayFormats.set(language, format)
  return format.format(utcMidnight(day))
}

/** "5:30 PM" */
export const formatTimeIn = (language: Language, timeZone: string, instant: Date): string =>
  new Intl.DateTimeFormat(LOCALES[language], {
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(instant)

/** "Central Standard Time" */
export function timeZoneName(language: Language, timeZone: string, instant: Date): string {
  const parts = new Intl.DateTimeFormat(LOCALES[language], {
    timeZone,
    timeZoneName: 'long',
  }).formatToParts(instant)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}
