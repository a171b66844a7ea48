import type { Language } from '@tatami/contract/public-page/public-page'

/** Emails and texts about a trial. `visitor` is a first name, `what` the class with its day and
 *  time. */
const ENGLISH = {
  hello: (name: string) => `Hi ${name},`,
  subjects: {
    booked: (school: string) => `Your trial at ${school}`,
    held: (school: string) => `Your request at ${school}`,
    waiting: (school: string) => `The waitlist at ${school}`,
    free: (school: string) => `You have a place at ${school}`,
    moved: (school: string) => `Your trial at ${school} has moved`,
    canceled: (school: string) => `Your trial at ${school} is canceled`,
    reminder: (school: string) => `Tomorrow: your trial at ${school}`,
    missed: (school: string) => `We missed you at ${school}`,
    refunded: (school: string) => `Your payment at ${school} goes back`,
    paidTwice: (school: string) => `Your payment at ${school} goes back`,
  },
  openings: {
    booked: (visitor: string) => `${visitor} is booked for a trial:`,
    held: (visitor: string) =>
      `We have your request for ${visitor}. The school will confirm it soon:`,
    waiting: (visitor: string) =>
      `${visitor} is on the waitlist. We save the first free place for you and tell you at once:`,
    free: (visitor: string) =>
      `A place has become free, and we have saved it for ${visitor}. You need not confirm it:`,
    moved: (visitor: string) => `The class that ${visitor} is booked for has moved. It is now:`,
    canceled: (visitor: string) => `The trial of ${visitor} is canceled:`,
    reminder: (visitor: string) => `${visitor} is booked for tomorrow:`,
    missed: (visitor: string) => `We missed ${visitor} in class. That happens!`,
    refunded: (visitor: string) =>
      `The place of ${visitor} was taken before your payment arrived. It goes back to your card:`,
    paidTwice: (visitor: string) =>
      `${visitor} is booked already, so your second payment goes back to your card:`,
  },
  sign: (names: string, link: string) => `Please sign before the class (${names}): ${link}`,
  nextDates: 'These are the next free days:',
  bring: 'What to bring',
  change: (link: string) => `See, move or cancel it: ${link}`,
  chooseAgain: (link: string) => `Choose a new day: ${link}`,
  questions: (phone: string) => `Questions? Call ${phone}`,
  stop: 'Reply STOP to end these texts.',
}
export type MailWords = typeof ENGLISH

const SPANISH: MailWords = {
  hello: (name) => `Hola ${name}:`,
  subjects: {
    booked: (school) => `Su clase de prueba en ${school}`,
    held: (school) => `Su solicitud en ${school}`,
    waiting: (school) => `La lista de espera en ${school}`,
    free: (school) => `Tiene un lugar en ${school}`,
    moved: (school) => `Su clase de prueba en ${school} se cambió`,
    canceled: (school) => `Su clase de prueba en ${school} está cancelada`,
    reminder: (school) => `Mañana: su clase de prueba en ${school}`,
    missed: (school) => `Le extrañamos en ${school}`,
    refunded: (school) => `Le devolvemos su pago en ${school}`,
    paidTwice: (school) => `Le devolvemos su pago en ${school}`,
  },
  openings: {
    booked: (visitor) => `La reserva de ${visitor} está hecha:`,
    held: (visitor) => `Tenemos su solicitud para ${visitor}. La escuela la confirmará pronto:`,
    waiting: (visitor) =>
      `${visitor} está en la lista de espera. Le guardamos el primer lugar libre y le avisamos:`,
    free: (visitor) =>
      `Se liberó un lugar y lo guardamos para ${visitor}. No necesita confirmarlo:`,
    moved: (visitor) => `La clase de ${visitor} se cambió. Ahora es:`,
    canceled: (visitor) => `La clase de prueba de ${visitor} está cancelada:`,
    reminder: (visitor) => `${visitor} tiene su clase mañana:`,
    missed: (visitor) => `Extrañamos a ${visitor} en clase. ¡No pasa nada!`,
    refunded: (visitor) =>
      `El lugar de ${visitor} se ocupó antes de que llegara su pago. Vuelve a su tarjeta:`,
    paidTwice: (visitor) => `${visitor} ya tiene una reserva; su segundo pago vuelve a su tarjeta:`,
  },
  sign: (names, link) => `Por favor, firme antes de la clase (${names}): ${link}`,
  nextDates: 'Estos son los próximos días libres:',
  bring: 'Qué traer',
  change: (link) => `Ver, cambiar o cancelar: ${link}`,
  chooseAgain: (link) => `Elegir un nuevo día: ${link}`,
  questions: (phone) => `¿Preguntas? Llame al ${phone}`,
  stop: 'Responda STOP para no recibir más mensajes.',
}

export const MAIL_WORDS: Record<Language, MailWords> = { en: ENGLISH, es: SPANISH }
export type MailKind = keyof MailWords['subjects']
