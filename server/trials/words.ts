import type { Language } from '@tatami/contract/public-page/public-page'

/** The pages on which visitors book a trial. */
const ENGLISH = {
  title: (school: string) => `Book a trial at ${school}`,
  chooseClass: 'Which class?',
  chooseDay: 'Which day?',
  ages: (minAge: number | null, maxAge: number | null) => {
    if (minAge === null && maxAge === null) return 'All ages'
    if (maxAge === null) return `Ages ${minAge} and up`
    return minAge === null ? `Up to age ${maxAge}` : `Ages ${minAge}–${maxAge}`
  },
  next: (day: string) => `Next: ${day}`,
  noOffers: 'There are no trials right now. Please call the school.',
  noDays: 'No free days right now. Please choose another class, or call the school.',
  otherClass: 'Choose another class',
  otherDay: 'Choose another day',
  forChild: 'For my child',
  forMe: 'For me',
  visitorChild: 'Your child’s first name',
  ageChild: 'Your child’s age',
  age: 'Your age',
  name: 'Your name',
  contact: 'How can we reach you? Enter an email or a phone number.',
  email: 'Email',
  phone: 'Phone number',
  serviceText:
    'You may text me about this trial. Message and data rates may apply. I can reply STOP at ' +
    'any time.',
  marketing: 'Send me news and offers by email now and then. I can stop them at any time.',
  send: 'Book this trial',
  emailNote: 'With an email, you get a link to move or cancel the trial.',
  trap: 'Leave this field empty',
  errors: {
    summary: 'Please check the fields below.',
    visitor: 'Please enter a first name.',
    name: 'Please enter your name.',
    age: 'Please enter an age from 1 to 120.',
    ageChild: 'Please enter the age of your child.',
    adult: 'Adults book for themselves. Please check your details.',
    minor: 'A parent or guardian has to book for visitors under 18. Please let them fill this in.',
    range: (ages: string) => `This class is for other ages (${ages}). Please choose another class.`,
    contact: 'Please enter an email or a phone number.',
    email: 'Please check the email.',
    phone: 'Please check the phone number.',
    again: 'Please check your details and send them once more.',
    taken: 'The last place has just been taken. Please choose another day.',
    takenAll: 'The last place has just been taken, and there is no other free day right now.',
  },
  bookedTitle: 'You are booked',
  heldTitle: 'Your request has arrived',
  booked: (day: string, time: string) => `See you on ${day}, ${time}!`,
  held: 'The school will confirm it soon.',
  mailSent: 'If you entered an email, the details and a link are on their way to you.',
  backToSchool: 'Back to the school',
  yourTrial: 'Your trial',
  isBooked: (name: string) => `${name} is booked.`,
  isHeld: (name: string) => `We have the request for ${name}. The school will confirm it.`,
  isCanceled: 'This trial is canceled.',
  isOver: 'This trial is over.',
  newTrial: 'Choose a new day',
  move: 'Move to another day',
  cancel: 'Cancel this trial',
  moved: 'The trial is moved.',
  tooLate: 'It is too late to change this here.',
  pleaseCall: 'Please call the school.',
  invalidLink: 'This link is not valid.',
}
export type TrialWords = typeof ENGLISH

const SPANISH: TrialWords = {
  title: (school) => `Reservar una clase de prueba en ${school}`,
  chooseClass: '¿Qué clase?',
  chooseDay: '¿Qué día?',
  ages: (minAge, maxAge) => {
    if (minAge === null && maxAge === null) return 'Todas las edades'
    if (maxAge === null) return `Desde ${minAge} años`
    return minAge === null ? `Hasta ${maxAge} años` : `De ${minAge} a ${maxAge} años`
  },
  next: (day) => `Próxima: ${day}`,
  noOffers: 'Ahora no hay clases de prueba. Por favor, llame a la escuela.',
  noDays: 'Ahora no hay días libres. Elija otra clase o llame a la escuela.',
  otherClass: 'Elegir otra clase',
  otherDay: 'Elegir otro día',
  forChild: 'Para mi hijo o hija',
  forMe: 'Para mí',
  visitorChild: 'Nombre de su hijo o hija',
  ageChild: 'Edad de su hijo o hija',
  age: 'Su edad',
  name: 'Su nombre',
  contact: '¿Cómo podemos avisarle? Escriba un correo o un teléfono.',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  serviceText:
    'Pueden enviarme mensajes de texto sobre esta clase de prueba. Pueden aplicarse tarifas. ' +
    'Puedo responder STOP en cualquier momento.',
  marketing: 'Envíenme novedades y ofertas por correo de vez en cuando. Puedo darme de baja.',
  send: 'Reservar esta clase',
  emailNote: 'Con un correo, recibirá un enlace para cambiar o cancelar la clase.',
  trap: 'Deje este campo vacío',
  errors: {
    summary: 'Revise los campos de abajo.',
    visitor: 'Escriba un nombre.',
    name: 'Escriba su nombre.',
    age: 'Escriba una edad de 1 a 120.',
    ageChild: 'Escriba la edad de su hijo o hija.',
    adult: 'Los adultos reservan para sí mismos. Revise sus datos.',
    minor:
      'Un padre, una madre o un tutor debe reservar para menores de 18 años. Pídales que lo ' +
      'llenen.',
    range: (ages) => `Esta clase es para otras edades (${ages}). Elija otra clase.`,
    contact: 'Escriba un correo o un teléfono.',
    email: 'Revise el correo.',
    phone: 'Revise el teléfono.',
    again: 'Revise sus datos y envíelos otra vez.',
    taken: 'El último lugar acaba de ocuparse. Elija otro día.',
    takenAll: 'El último lugar acaba de ocuparse y ahora no hay otro día libre.',
  },
  bookedTitle: 'Su reserva está hecha',
  heldTitle: 'Recibimos su solicitud',
  booked: (day, time) => `¡Nos vemos el ${day}, ${time}!`,
  held: 'La escuela la confirmará pronto.',
  mailSent: 'Si escribió un correo, le enviamos los detalles y un enlace.',
  backToSchool: 'Volver a la escuela',
  yourTrial: 'Su clase de prueba',
  isBooked: (name) => `La reserva de ${name} está hecha.`,
  isHeld: (name) => `Tenemos la solicitud de ${name}. La escuela la confirmará.`,
  isCanceled: 'Esta clase de prueba está cancelada.',
  isOver: 'Esta clase de prueba ya pasó.',
  newTrial: 'Elegir un nuevo día',
  move: 'Cambiar de día',
  cancel: 'Cancelar esta clase',
  moved: 'La clase de prueba se cambió.',
  tooLate: 'Ya es tarde para cambiarla aquí.',
  pleaseCall: 'Por favor, llame a la escuela.',
  invalidLink: 'Este enlace no es válido.',
}

export const TRIAL_WORDS: Record<Language, TrialWords> = { en: ENGLISH, es: SPANISH }
