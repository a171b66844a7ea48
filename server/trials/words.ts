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
  birthdayChild: 'Your child’s birthday',
  birthday: 'Your birthday',
  name: 'Your name',
  contact: 'How can we reach you? Enter an email or a phone number.',
  email: 'Email',
  phone: 'Phone number',
  serviceText:
    'You may text me about this trial. Message and data rates may apply. I can reply STOP at ' +
    'any time.',
  marketing: 'Send me news and offers by email now and then. I can stop them at any time.',
  send: 'Book this trial',
  sendToWaitlist: 'Join the waitlist',
  waitlist: 'Waitlist',
  fullNote: 'This class is full. We save the first free place for you and tell you at once.',
  waitFor: (day: string) => `Wait for a place on ${day}`,
  emailNote: 'With an email, you get a link to move or cancel the trial.',
  trap: 'Leave this field empty',
  errors: {
    summary: 'Please check the fields below.',
    visitor: 'Please enter a first name.',
    name: 'Please enter your name.',
    age: 'Please enter an age from 1 to 120.',
    ageChild: 'Please enter the age of your child.',
    birthday: 'Please enter the birthday.',
    adult: 'Adults book for themselves. Please check your details.',
    minor: 'A parent or guardian has to book for visitors under 18. Please let them fill this in.',
    range: (ages: string) => `This class is for other ages (${ages}). Please choose another class.`,
    contact: 'Please enter an email or a phone number.',
    email: 'Please check the email.',
    phone: 'Please check the phone number.',
    again: 'Please check your details and send them once more.',
    taken:
      'The last place has just been taken. Please choose another day, or wait for a free place.',
    takenAll:
      'The last place has just been taken, and there is no other free day right now. You can ' +
      'wait for a free place.',
    busy:
      'Many people are booking right now. Please wait a moment and send the form once more. ' +
      'Nothing was booked yet.',
    takenPaid: 'The last place has just been taken. Please choose another day.',
    takenAllPaid:
      'The last place has just been taken, and there is no other free day right now. Please ' +
      'choose another class.',
  },
  payOnline: (price: string) =>
    `You pay ${price} by card on the next page. We hold your place for 30 minutes.`,
  payThere: (price: string) => `This trial costs ${price}. You pay at the school.`,
  payTitle: 'Pay to book',
  payNote: (time: string) => `We hold your place until ${time}. You are booked once it is paid.`,
  pay: (price: string) => `Pay ${price}`,
  payStripe:
    'You pay by card on a secure page of Stripe. The school does not see your card number.',
  payTest: 'Test mode: no real money is taken.',
  stripeSilent:
    'The payment service is not responding right now. Please try again in a few minutes.',
  payOverTitle: 'The time is over',
  payOver: 'The place is free for others again, and nothing was charged. You can book again.',
  refundTitle: 'Your money goes back',
  refundNote:
    'The trial is booked already, or the place was taken. Your payment goes back to your card.',
  paid: (price: string) => `Paid: ${price}`,
  paidBack: (price: string) => `${price} goes back to your card.`,
  bookedTitle: 'You are booked',
  waitingTitle: 'You are on the waitlist',
  heldTitle: 'Your request has arrived',
  booked: (day: string, time: string) => `See you on ${day}, ${time}!`,
  waiting: (day: string, time: string) =>
    `We save the first free place on ${day}, ${time}, for you. You need not do anything.`,
  held: 'The school will confirm it soon.',
  mailSent: 'If you entered an email, the details and a link are on their way to you.',
  signTitle: 'Before the class',
  signNote: (names: string) => `The school asks for a signature: ${names}.`,
  sign: 'Sign now',
  signed: 'Everything is signed.',
  codeTitle: 'At the school',
  codeNote: 'Show this code at the tablet by the door.',
  backToSchool: 'Back to the school',
  yourTrial: 'Your trial',
  isBooked: (name: string) => `${name} is booked.`,
  isHeld: (name: string) => `We have the request for ${name}. The school will confirm it.`,
  isWaiting: (name: string) =>
    `${name} is on the waitlist. We save the first free place and tell you at once.`,
  hasCome: (name: string) => `${name} has checked in.`,
  isCanceled: 'This trial is canceled.',
  isOver: 'This trial is over.',
  newTrial: 'Choose a new day',
  move: 'Move to another day',
  cancel: 'Cancel this trial',
  leaveWaitlist: 'Leave the waitlist',
  cancelQuestion: 'Cancel this trial?',
  leaveQuestion: 'Leave the waitlist?',
  yesCancel: 'Yes, cancel',
  yesLeave: 'Yes, leave',
  keep: 'No, keep it',
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
  birthdayChild: 'Fecha de nacimiento de su hijo o hija',
  birthday: 'Su fecha de nacimiento',
  name: 'Su nombre',
  contact: '¿Cómo podemos avisarle? Escriba un correo o un teléfono.',
  email: 'Correo electrónico',
  phone: 'Teléfono',
  serviceText:
    'Pueden enviarme mensajes de texto sobre esta clase de prueba. Pueden aplicarse tarifas. ' +
    'Puedo responder STOP en cualquier momento.',
  marketing: 'Envíenme novedades y ofertas por correo de vez en cuando. Puedo darme de baja.',
  send: 'Reservar esta clase',
  sendToWaitlist: 'Entrar en la lista de espera',
  waitlist: 'Lista de espera',
  fullNote: 'Esta clase está completa. Le guardamos el primer lugar libre y le avisamos.',
  waitFor: (day) => `Esperar un lugar el ${day}`,
  emailNote: 'Con un correo, recibirá un enlace para cambiar o cancelar la clase.',
  trap: 'Deje este campo vacío',
  errors: {
    summary: 'Revise los campos de abajo.',
    visitor: 'Escriba un nombre.',
    name: 'Escriba su nombre.',
    age: 'Escriba una edad de 1 a 120.',
    birthday: 'Escriba la fecha de nacimiento.',
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
    taken: 'El último lugar acaba de ocuparse. Elija otro día o espere un lugar libre.',
    takenAll:
      'El último lugar acaba de ocuparse y ahora no hay otro día libre. Puede esperar un lugar.',
    busy:
      'Muchas personas están reservando ahora. Espere un momento y envíe el formulario otra vez. ' +
      'Todavía no se reservó nada.',
    takenPaid: 'El último lugar acaba de ocuparse. Elija otro día.',
    takenAllPaid:
      'El último lugar acaba de ocuparse y ahora no hay otro día libre. Elija otra clase.',
  },
  payOnline: (price) =>
    `Paga ${price} con tarjeta en la página siguiente. Le guardamos el lugar por 30 minutos.`,
  payThere: (price) => `Esta clase de prueba cuesta ${price}. Se paga en la escuela.`,
  payTitle: 'Pagar para reservar',
  payNote: (time) =>
    `Le guardamos el lugar hasta las ${time}. La reserva queda hecha cuando esté pagada.`,
  pay: (price) => `Pagar ${price}`,
  payStripe:
    'Paga con tarjeta en una página segura de Stripe. La escuela no ve el número de su tarjeta.',
  payTest: 'Modo de prueba: no se cobra dinero real.',
  stripeSilent: 'El servicio de pago no responde ahora. Inténtelo otra vez en unos minutos.',
  payOverTitle: 'Se acabó el tiempo',
  payOver: 'El lugar está libre otra vez y no se cobró nada. Puede reservar de nuevo.',
  refundTitle: 'Le devolvemos su dinero',
  refundNote: 'La clase ya estaba reservada o el lugar se ocupó. Su pago vuelve a su tarjeta.',
  paid: (price) => `Pagado: ${price}`,
  paidBack: (price) => `${price} vuelve a su tarjeta.`,
  bookedTitle: 'Su reserva está hecha',
  waitingTitle: 'Está en la lista de espera',
  heldTitle: 'Recibimos su solicitud',
  booked: (day, time) => `¡Nos vemos el ${day}, ${time}!`,
  waiting: (day, time) =>
    `Le guardamos el primer lugar libre del ${day}, ${time}. No necesita hacer nada.`,
  held: 'La escuela la confirmará pronto.',
  mailSent: 'Si escribió un correo, le enviamos los detalles y un enlace.',
  signTitle: 'Antes de la clase',
  signNote: (names) => `La escuela pide una firma: ${names}.`,
  sign: 'Firmar ahora',
  signed: 'Todo está firmado.',
  codeTitle: 'En la escuela',
  codeNote: 'Muestre este código en la tableta de la entrada.',
  backToSchool: 'Volver a la escuela',
  yourTrial: 'Su clase de prueba',
  isBooked: (name) => `La reserva de ${name} está hecha.`,
  isHeld: (name) => `Tenemos la solicitud de ${name}. La escuela la confirmará.`,
  isWaiting: (name) =>
    `${name} está en la lista de espera. Le guardamos el primer lugar libre y le avisamos.`,
  hasCome: (name) => `${name} ya se registró en la escuela.`,
  isCanceled: 'Esta clase de prueba está cancelada.',
  isOver: 'Esta clase de prueba ya pasó.',
  newTrial: 'Elegir un nuevo día',
  move: 'Cambiar de día',
  cancel: 'Cancelar esta clase',
  leaveWaitlist: 'Salir de la lista de espera',
  cancelQuestion: '¿Cancelar esta clase?',
  leaveQuestion: '¿Salir de la lista de espera?',
  yesCancel: 'Sí, cancelar',
  yesLeave: 'Sí, salir',
  keep: 'No, conservarla',
  moved: 'La clase de prueba se cambió.',
  tooLate: 'Ya es tarde para cambiarla aquí.',
  pleaseCall: 'Por favor, llame a la escuela.',
  invalidLink: 'Este enlace no es válido.',
}

export const TRIAL_WORDS: Record<Language, TrialWords> = { en: ENGLISH, es: SPANISH }
