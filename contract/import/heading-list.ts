import type { ImportField } from './import-fields.ts'
import { joinLines } from './patterns.ts'

/** Headings as `normalizeHeading` writes them, separated by "|". */
export const HEADINGS: Partial<Record<ImportField, string>> = {
  name: joinLines`
    name|full name|student|students|student name|student names|member|member name|participant|participant name|athlete
    |child|child name|display name|contact name|nombre|nombre completo|nom|nome|naam|nom complet
    |schuler|mitglied`,
  first_name: joinLines`
    first|first name|firstname|given name|student first name|member first name|child first name
    |vorname|prenom|fname|forename|voornaam|nombres|nombre de pila`,
  last_name: joinLines`
    last|last name|lastname|surname|student last name|student surname|student family name
    |member last name|child last name|nachname|familienname|zuname|apellido|apellidos
    |apellido paterno|primer apellido|cognome|sobrenome|achternaam|nom de famille|lname`,
  email: joinLines`
    email|e mail|email address|e mail address|primary email|student email|member email|mail
    |correo|contact email`,
  phone_number: joinLines`
    phone|phone number|mobile|mobile phone|mobile number|cell|cell phone|cellphone|primary phone
    |primary phone number|telephone|tel|telefon|handy|contact number|student phone|member phone
    |home phone|house phone|evening phone|work phone|business phone|office phone|day phone
    |daytime phone|other phone|second phone|secondary phone|alternate phone|alt phone|phone 1
    |phone 2|phone 3|cell phone 1|cell phone 2|cell 1|cell 2|mobile 1|mobile 2|mobile phone 1
    |mobile phone 2|home phone 1|home phone 2|home number
    |work number|cell number|student cell|student mobile|landline
    |telefono|contact phone|h phone|c phone|w phone|mobil|mobiltelefon|mobilnummer
    |telephone portable|portable|movil|celular|gsm`,
  belt_level: joinLines`
    belt|belt level|belt rank|rank|current rank|current belt|belt color|belt colour|rank name
    |style rank|level|grade|gurtel|graduierung|cinturon|ceinture|cintura`,
  stripes: joinLines`
    stripes|stripe|stripe count|number of stripes|of stripes|no of stripes|current stripes
    |tips|streifen`,
  promoted_on: [
    joinLines`
      last promotion|last promotion date|last promoted|last promoted on|date of last promotion
      |promotion date|date promoted|promoted on|last belt promotion|last promo`,
    joinLines`
      last test|last test date|last belt test|last belt test date|last tested|date of last test
      |last grading|last grading date|last graded|date of last grading|grading date|last rank date`,
    joinLines`
      rank date|current rank date|date of rank|rank since|rank awarded|rank awarded on|belt date
      |current belt date|date of belt|belt since|belt awarded|rank advanced date|rank achieved|rank achieved date|letzte prufung|prufungsdatum`,
  ].join('|'),
  classes_in_rank: joinLines`
    classes since promotion|classes since last promotion|classes since last test|classes in rank
    |classes at rank|classes at current rank|classes since rank|attendance since promotion
    |attendance since last promotion|attendance since rank|visits since promotion|classes attended since promotion`,
  joined_on: [
    joinLines`
      join date|joined|joined on|joined date|date joined|member since|student since
      |start date|started|started on|date started|starting date|training since|joining date
      |begin date|plan start date|contract start date`,
    joinLines`
      enrolled on|enrolled at|enrolled date|date enrolled|enrollment date|enrolment date
      |date of enrollment|sign up date|signup date|signed up|signed up on|membership start
      |membership start date|member start date|eintritt|eintrittsdatum|mitglied seit
      |fecha de alta|fecha de ingreso|fecha de inscripcion|date d inscription`,
  ].join('|'),
  waiver_signed_on: joinLines`
    waiver signed on|waiver signed|waiver signed date|waiver signed at|waiver date|waiver date signed
    |waiver sign date|waiver completed|waiver completed on|date waiver signed|date of waiver
    |date signed waiver|signed waiver|signed waiver on|waiver|liability waiver
    |liability waiver signed|liability waiver signed on|liability waiver date|release signed
    |release signed on|release date`,
  date_of_birth: joinLines`
    date of birth|birth date|birthdate|birthday|bday|b day|dob|d o b|born|geburtsdatum|geboren
    |fecha de nacimiento|data di nascita|date de naissance|data de nascimento|geboortedatum
    |student dob|birth`,
  gender: 'gender|sex|geschlecht|genero|m f',
  emergency_contact_name: joinLines`
    emergency contact|emergency contact name|emergency name|emergency|emergency contact 1
    |emergency contact 1 name|notfallkontakt|in case of emergency`,
  emergency_contact_phone: joinLines`
    emergency contact phone|emergency phone|emergency number|emergency contact number
    |emergency contact phone number|emergency contact 1 phone|emergency phone number
    |notfallnummer|notfalltelefon`,
  classes: joinLines`
    classes|class|class name|program|programs|program name|group|groups|enrolled classes
    |schedule|kurs|kurse|gruppe`,
  monthly_payment_amount: joinLines`
    monthly payment amount|monthly payment|monthly fee|monthly fees|monthly dues|fee|fees|dues
    |tuition|monthly tuition|monthly rate|rate|amount|payment amount|membership fee
    |membership price|price|recurring amount|beitrag|monatsbeitrag|monthly`,
  fee_period: joinLines`
    billing frequency|payment frequency|frequency|fee frequency|billing cycle|billing period
    |billing interval|payment interval|pay frequency|payment schedule|recurrence|charge frequency`,
  payment_method:
    'payment method|pay method|payment type|method of payment|billing method|zahlungsart|pays by',
  paid_through:
    'paid until|paid to|paid up to|paid thru|paid through date|paid until date|paid up through',
  amount_owed: joinLines`
    amount owed|owed|owes|money owed|balance due|balance owed|due balance|past due amount
    |past due balance|amount past due|outstanding balance|outstanding amount|unpaid balance
    |overdue amount|overdue balance|arrears|offener betrag|ruckstand`,
  account_credit: 'credit balance|credit on account|prepaid balance|guthaben',
  balance: joinLines`
    balance|account balance|acct balance|current balance|ledger balance|open balance|member balance
    |student balance|past due|amount due|saldo|kontostand`,
  status: joinLines`
    status|member status|membership status|student status|account status|enrollment status
    |current status|state of membership|mitgliedsstatus|estado`,
  is_active: joinLines`
    active|is active|active member|active student|currently active|still active|current
    |is current|current member|current student|currently enrolled|enrolled|is enrolled|aktiv
    |activo|actif`,
  has_left: joinLines`
    inactive|is inactive|archived|is archived|deceased|is deceased|passed away|cancelled
    |canceled|is cancelled|is canceled|left|has left|quit|dropped|dropped out|withdrawn
    |terminated|expired|deactivated|disabled|deleted|former|former member|former student
    |not active|inaktiv|inactivo|ausgetreten`,
  left_on: [
    joinLines`
      cancel date|canceled date|cancelled date|cancellation date|date canceled|date cancelled
      |date of cancellation|canceled on|cancelled on|cancel on|cancellation`,
    joinLines`
      date left|left on|left date|leave date|leaving date|date of leaving|drop date|dropped date
      |date dropped|dropped on|quit date|date quit|exit date|exit|withdrawal date|withdrawn date
      |date withdrawn|unenrolled date|unenrollment date|last day|resignation date`,
    joinLines`
      membership end|membership end date|membership ends|membership ended|membership ends on
      |membership expiration|membership expiration date|membership expires|membership expiry
      |end date|end|end of membership|date ended|ended on|expiration|expiration date|expiry
      |expiry date|expires|expires on|expired on|termination date|terminated on|date terminated
      |contract end|contract end date|plan end date|program end date`,
    joinLines`
      inactive date|inactive since|inactive on|date inactive|deactivated on|deactivation date
      |archived on|archived date|archive date|date archived|archived at|deleted at|deceased date
      |deceased on|date deceased|date of death|death date|died on|dod`,
    joinLines`
      active until|active through|active to|active till|member until|member through|valid until
      |valid through|valid to`,
    joinLines`
      austritt|austrittsdatum|austritt am|kundigungsdatum|gekundigt zum|gekundigt am|mitglied bis
      |fecha de baja|baja`,
  ].join('|'),
  is_trial: 'is trial|trial|on trial|trial student|trial member',
  on_vacation: 'on vacation|vacation|frozen|on hold',
  allergies: 'allergies|allergy|allergien',
  medical_note: joinLines`
    medical|medical note|medical notes|medical info|medical information|medical conditions
    |medical condition|health notes|health conditions|health|injuries`,
  private_notes:
    'notes|note|comments|comment|remarks|private notes|internal notes|bemerkungen|staff notes',
}
