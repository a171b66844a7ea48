import type { Language } from '@tatami/contract/public-page/public-page'

const ENGLISH = {
  bookTrial: 'Book a trial',
  timetable: 'Timetable',
  noClasses: 'No classes in the next two weeks.',
  canceled: 'Canceled',
  closed: (name: string) => `Closed: ${name}`,
  with: (name: string) => `with ${name}`,
  placesFree: 'Places free',
  fewPlaces: 'Few places left',
  full: 'Full',
  bring: 'What to bring',
  visit: 'Where we are',
  map: 'Open the map',
  call: (phone: string) => `Call ${phone}`,
  zone: (name: string) => `All times are in ${name}.`,
  otherLanguage: 'Español',
  notFound: 'This page does not exist.',
  tooMany: 'Too many requests. Please try again in an hour, or call the school.',
}
export type PageWords = typeof ENGLISH

const SPANISH: PageWords = {
  bookTrial: 'Reservar una clase de prueba',
  timetable: 'Horario',
  noClasses: 'No hay clases en las próximas dos semanas.',
  canceled: 'Cancelada',
  closed: (name) => `Cerrado: ${name}`,
  with: (name) => `con ${name}`,
  placesFree: 'Hay lugares',
  fewPlaces: 'Quedan pocos lugares',
  full: 'Completa',
  bring: 'Qué traer',
  visit: 'Dónde estamos',
  map: 'Abrir el mapa',
  call: (phone) => `Llamar al ${phone}`,
  zone: (name) => `Todas las horas son en ${name}.`,
  otherLanguage: 'English',
  notFound: 'Esta página no existe.',
  tooMany: 'Demasiadas solicitudes. Inténtelo en una hora o llame a la escuela.',
}

export const PAGE_WORDS: Record<Language, PageWords> = { en: ENGLISH, es: SPANISH }
