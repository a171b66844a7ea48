import { parseDate } from './import-dates.ts'
import { cellText, fold, isNothing, parseAmount, parseBelt, parseGender } from './import-values.ts'

/** What a column of a sheet of students can mean; in this order they are offered. */
export const IMPORT_FIELDS = [
  'name',
  'first_name',
  'last_name',
  'email',
  'phone_number',
  'belt_level',
  'date_of_birth',
  'gender',
  'emergency_contact_name',
  'emergency_contact_phone',
  'classes',
  'monthly_payment_amount',
  'payment_method',
  'status',
  'is_active',
  'has_left',
  'left_on',
  'is_trial',
  'on_vacation',
  'no_texts',
  'text_consent',
  'guardian_name',
  'guardian_first_name',
  'guardian_last_name',
  'guardian_relation',
  'guardian_email',
  'guardian_phone',
  'guardian_no_texts',
  'guardian_text_consent',
  'guardian_2_name',
  'guardian_2_first_name',
  'guardian_2_last_name',
  'guardian_2_relation',
  'guardian_2_email',
  'guardian_2_phone',
  'guardian_2_no_texts',
  'guardian_2_text_consent',
  'allergies',
  'medical_note',
  'private_notes',
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** So much of a heading is quoted. */
export const MAX_HEADING = 200

/** Headings of fields, folded, as the exports of Gymdesk, Kicksite, Zen Planner and hand-made sheets have them, beside the fields' own names. */
const HEADINGS: Partial<Record<ImportField, string>> = {
  name: 'name|full name|student|student name|member|member name|participant|participant name|athlete|child|child name|display name|contact name|nombre|nom|schuler|mitglied',
  first_name:
    'first|first name|firstname|given name|student first name|member first name|child first name|vorname|prenom|fname',
  last_name:
    'last|last name|lastname|surname|student last name|student surname|student family name|member last name|child last name|nachname|apellido|apellidos|lname',
  email:
    'email|e mail|email address|e mail address|primary email|student email|member email|mail|correo|contact email',
  phone_number:
    'phone|phone number|mobile|mobile phone|mobile number|cell|cell phone|cellphone|primary phone|primary phone number|telephone|tel|telefon|handy|contact number|student phone|member phone|home phone|house phone|evening phone|work phone|business phone|office phone|day phone|daytime phone|other phone|second phone|secondary phone|alternate phone|alt phone|phone 1|phone 2|phone 3|home number|work number|cell number|student cell|student mobile|landline|telefono|contact phone',
  belt_level:
    'belt|belt level|belt rank|rank|current rank|current belt|belt color|belt colour|rank name|style rank|level|grade|gurtel|graduierung|cinturon',
  date_of_birth:
    'date of birth|birth date|birthdate|birthday|bday|b day|dob|d o b|born|geburtsdatum|geboren|fecha de nacimiento|student dob|birth',
  gender: 'gender|sex|geschlecht|genero|m f',
  emergency_contact_name:
    'emergency contact|emergency contact name|emergency name|emergency|emergency contact 1|emergency contact 1 name|notfallkontakt|in case of emergency',
  emergency_contact_phone:
    'emergency contact phone|emergency phone|emergency number|emergency contact number|emergency contact phone number|emergency contact 1 phone|emergency phone number|notfallnummer|notfalltelefon',
  classes:
    'classes|class|class name|program|programs|program name|group|groups|enrolled classes|schedule|kurs|kurse|gruppe',
  monthly_payment_amount:
    'monthly payment amount|monthly payment|monthly fee|monthly fees|monthly dues|fee|fees|dues|tuition|monthly tuition|monthly rate|rate|amount|payment amount|membership fee|membership price|price|recurring amount|beitrag|monatsbeitrag|monthly',
  payment_method:
    'payment method|pay method|payment type|method of payment|billing method|zahlungsart|pays by',
  status:
    'status|member status|membership status|student status|account status|enrollment status|current status|state of membership|mitgliedsstatus|estado',
  is_active:
    'active|is active|active member|active student|currently active|still active|current|is current|current member|current student|currently enrolled|enrolled|is enrolled|aktiv|activo|actif',
  has_left:
    'inactive|is inactive|archived|is archived|deceased|is deceased|passed away|cancelled|canceled|is cancelled|is canceled|left|has left|quit|dropped|dropped out|withdrawn|terminated|expired|deactivated|disabled|deleted|former|former member|former student|not active|inaktiv|inactivo|ausgetreten',
  left_on: [
    'cancel date|canceled date|cancelled date|cancellation date|date canceled|date cancelled|date of cancellation|canceled on|cancelled on|cancel on|cancellation',
    'date left|left on|left date|leave date|leaving date|date of leaving|drop date|dropped date|date dropped|dropped on|quit date|date quit|exit date|exit|withdrawal date|withdrawn date|date withdrawn|unenrolled date|unenrollment date|last day|resignation date',
    'membership end|membership end date|membership ends|membership ended|membership ends on|membership expiration|membership expiration date|membership expires|membership expiry|end date|end|end of membership|date ended|ended on|expiration|expiration date|expiry|expiry date|expires|expires on|expired on|termination date|terminated on|date terminated|contract end|contract end date|plan end date|program end date',
    'inactive date|inactive since|inactive on|date inactive|deactivated on|deactivation date|archived on|archived date|archive date|date archived|archived at|deleted at|deceased date|deceased on|date deceased|date of death|death date|died on|dod',
    'active until|active through|active to|active till|member until|member through|valid until|valid through|valid to',
    'austritt|austrittsdatum|austritt am|kundigungsdatum|gekundigt zum|gekundigt am|mitglied bis|fecha de baja|baja',
  ].join('|'),
  is_trial: 'is trial|trial|on trial|trial student|trial member',
  on_vacation: 'on vacation|vacation|frozen|on hold',
  allergies: 'allergies|allergy|allergien',
  medical_note:
    'medical|medical note|medical notes|medical info|medical information|medical conditions|medical condition|health notes|health conditions|health|injuries',
  private_notes:
    'notes|note|comments|comment|remarks|private notes|internal notes|bemerkungen|staff notes',
}
const FIELD_OF_HEADING = new Map(
  IMPORT_FIELDS.flatMap((field) =>
    [fold(field), ...(HEADINGS[field] ?? '').split('|')]
      .filter(Boolean)
      .map((heading) => [heading, field] as const),
  ),
)

const GUARDIAN =
  /^(?:primary |billing |responsible |legal )?(?:(second|2nd|other) )?(guardian parent|parent guardian|parents?|guardians?|mothers?|moms?|mums?|fathers?|dads?|responsible party|eltern|mutter|vater|account holder)(?: s)?(?: (1|2|one|two))?(?: s)?(?: (.+))?$/
const TEXTS = '(?:texts?|texting|sms|text messages?|text messaging|messages?)'
/** Headings of a column that says whom not to text, as `fold` writes them. */
const NO_TEXTS = new RegExp(
  [
    `\\b(do not|dont|don t|no|never|stop|block(ed)?) (send |receive )?(${TEXTS}|contact|call or text)\\b`,
    `\\b(${TEXTS}|marketing|mobile|phone|communications?)\\b.*\\b(opt(ed)? ?out|unsubscribed?|stop(ped)?|blocked|declined)\\b`,
    `\\bopt(ed)? ?out\\b.*\\b(${TEXTS}|marketing)\\b`,
    '^(opt(ed)? ?out|unsubscribed|dnt|dnc)( date| on)?$',
  ].join('|'),
)
/** Headings of a column that says whom one may text. */
const TEXT_CONSENT = new RegExp(
  [
    `\\b${TEXTS}\\b.*\\b(consent(ed)?|permission|ok|okay|allowed|agree[ds]?|opt(ed)? ?in|enabled|accepted|subscribed|subscription|notifications?|alerts?|reminders?|authorized|status|preference)\\b`,
    `\\b(consents?|consented|permission|ok|okay|allow(s|ed)?|can|may|agree[sd]?|accepts?|receives?|wants?|opt(ed)? ?in|authorize[sd]?|enable)\\b.*\\b${TEXTS}\\b`,
    '^(texting|sms|text messages|opt(ed)? ?in)$',
  ].join('|'),
)
const GUARDIAN_PARTS: [part: string, pattern: RegExp][] = [
  ['first_name', /^(first|given) name$|^first$/],
  ['last_name', /^(last|family) name$|^last$|^surname$/],
  ['email', /^(primary )?e ?mail( address)?$/],
  [
    'phone',
    /^(cell|mobile|home|work|business|office|day|daytime|evening|other|alternate|secondary|primary|contact)? ?(phone|cell|mobile|number|telephone|telefon)( number)?( \d)?$/,
  ],
  ['relation', /^relation(ship)?( to student| to child)?$/],
  ['name', /^(full )?name$|^$|^\d$/],
  ['no_texts', NO_TEXTS],
  ['text_consent', TEXT_CONSENT],
]

/** Headings of dates, numbers and names that are none of a student's fields, whatever their values look like. */
const NOT_A_FIELD =
  /\b(id|number of|address|street|city|state|zip|postal|country|join|joined|start|started|signup|signed|created|last|next|expir\w*|renew\w*|attend\w*|visits?|balance|age|due|paid|tags?|password|username|photo|waiver|source|promot\w*|stripes?|membership|referr\w*|since|end)\b/

/** The words of a heading, also of one that is written smsOptOut or sms_opt_out. */
const wordsOfHeading = (heading: string): string =>
  fold(
    heading
      .replaceAll('_', ' ')
      .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
      .replaceAll(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 '),
  ).replace(/ (optional|required|mm dd yyyy|dd mm yyyy|yyyy mm dd|m d y)$/, '')

/** Which field a heading names; '' for one that is known to name none, undefined for one that is not known. */
export function fieldOfHeading(heading: string): ImportField | '' | undefined {
  const words = wordsOfHeading(heading)
  const known =
    FIELD_OF_HEADING.get(words) ??
    FIELD_OF_HEADING.get(fold(heading)) ??
    (HOUSEHOLD.test(words) ? 'last_name' : undefined) ??
    (/^[$€£]+$/.test(heading.trim()) ? 'monthly_payment_amount' : undefined)
  if (known) return known
  const [, second, , number, rest = ''] = GUARDIAN.exec(words) ?? []
  const part = GUARDIAN.test(words) && GUARDIAN_PARTS.find(([, pattern]) => pattern.test(rest))?.[0]
  if (part)
    return `guardian_${second || number === '2' || number === 'two' ? '2_' : ''}${part}` as ImportField
  if (/\be ?mails?\b/.test(words))
    return NOT_A_FIELD.test(words) || NO_TEXTS.test(words) ? '' : undefined
  if (NO_TEXTS.test(words)) return 'no_texts'
  if (TEXT_CONSENT.test(words)) return 'text_consent'
  return NOT_A_FIELD.test(words) ? '' : undefined
}

/** The surname of a household is the student's only where a sheet has no other. */
const HOUSEHOLD = /^(family|household)( last| sur)? ?name$|^(family|household)$|^familien ?name$/
/** A heading that speaks of the student, where another may speak of a parent or of the household. */
const OF_STUDENT = /^(student|member|child|participant|athlete|trainee)\b/

/** Which of two parents a heading is about, where it names one. */
const parentIn = (heading: string) =>
  /^(mother|mom|mum|mutter)/.test(fold(heading))
    ? 'mother'
    : /^(father|dad|vater)/.test(fold(heading))
      ? 'father'
      : null

const HEADING_ROWS = 10

/** "Active" and "Cancelled" are as often what stands below a heading. */
function isHeading(cell: string): boolean {
  const field = cell.length <= 60 ? fieldOfHeading(cell) : undefined
  return field !== undefined && field !== 'is_active' && field !== 'has_left'
}

/** The place of the row of headings: of the first ten that in which most name a field; -1 where the sheet has none. */
export function headingRow(rows: readonly (readonly string[])[]): number {
  const counts = rows.slice(0, HEADING_ROWS).map((row) => row.filter(isHeading).length)
  const best = Math.max(...counts, 0)
  const at = counts.indexOf(best)
  const filled = rows[at]?.filter((cell) => cell.trim() !== '').length ?? 0
  return best >= 2 || (best === 1 && filled <= 2) ? at : -1
}

const SAMPLE = 60
const MOST = 0.7
const EMAIL = /^\S+@\S+\.\S+$/
const EARLIEST_BIRTH = '1920-01-01'

/** What values look like, the surest first. */
const LOOKS: [field: ImportField, test: (text: string, today: string) => boolean][] = [
  ['email', (text) => EMAIL.test(text)],
  ['date_of_birth', (text, today) => isBirthday(text, today)],
  ['phone_number', (text) => isPhone(text)],
  ['gender', (text) => parseGender(text) !== null],
  ['belt_level', (text) => parseBelt(text) !== null],
  [
    'monthly_payment_amount',
    (text) => /[$€£]|[.,]\d{2}$/.test(text) && !Number.isNaN(parseAmount(text)),
  ],
  ['name', (text) => /^\p{L}[\p{L}\p{M}'’.-]*,? \p{L}[\p{L}\p{M}'’. -]*$/u.test(text)],
]

const isPhone = (text: string) =>
  /^[+\d][\d\s().+/-]{6,18}$|^\(\d{3}\)[\d\s.-]{7,9}$/.test(text) &&
  text.replaceAll(/\D/g, '').length >= 7

const isBirthday = (text: string, today: string) => {
  if (/^\d{1,5}$/.test(text) && Number(text) < 9000) return false
  const dates = [parseDate(text, 'month-first', today), parseDate(text, 'day-first', today)]
  return dates.some((date) => date !== null && date >= EARLIEST_BIRTH && date <= today)
}

function fieldOfValues(
  values: readonly string[],
  today: string,
  taken: ReadonlySet<string>,
): ImportField | null {
  const texts = values
    .map(cellText)
    .filter((text) => !isNothing(text))
    .slice(0, SAMPLE)
  if (texts.length === 0) return null
  const found = LOOKS.find(
    ([field, test]) =>
      !taken.has(field) && texts.filter((text) => test(text, today)).length >= texts.length * MOST,
  )
  return found?.[0] ?? null
}

/** Fields of which a sheet may have several columns: all of them are read. */
const REPEATED: ReadonlySet<string> = new Set<ImportField>([
  'phone_number',
  'emergency_contact_phone',
  'guardian_phone',
  'guardian_2_phone',
  'status',
  'is_active',
  'has_left',
  'left_on',
  'no_texts',
  'text_consent',
  'guardian_no_texts',
  'guardian_text_consent',
  'guardian_2_no_texts',
  'guardian_2_text_consent',
])

/**
 * What each column means, by its heading, else by its values; null for one that is left out. Each field is given once, but for
 * those of which all columns are read. `today` is YYYY-MM-DD.
 */
export function guessFields(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  today: string,
): (ImportField | null)[] {
  const named = withParents(headings, headings.map(fieldOfHeading)).map((field, column) =>
    checkedByValues(field, valuesOf(rows, column)),
  )
  const columnOf = columnsByField(headings, named)
  const first = named.map((field, column) => {
    if (!field) return field === undefined ? undefined : null
    return REPEATED.has(field) || columnOf.get(field) === column ? field : null
  })
  const taken = new Set<string>(columnOf.keys())
  if (taken.has('first_name') || taken.has('last_name')) taken.add('name')
  return first.map((field, column) => {
    if (field !== undefined) return field
    const guessed = fieldOfValues(valuesOf(rows, column), today, taken)
    if (guessed) taken.add(guessed)
    return guessed
  })
}

type Named = ImportField | '' | undefined

const valuesOf = (rows: readonly (readonly string[])[], column: number) =>
  rows.map((row) => row[column] ?? '')

/** "Cell (OK to text)" is a column of numbers, and a grade is a belt only where one is written there. */
function checkedByValues(field: Named, values: readonly string[]): Named {
  const texts = values
    .map(cellText)
    .filter((text) => !isNothing(text))
    .slice(0, SAMPLE)
  if (texts.length === 0) return field
  if (field === 'text_consent' && texts.filter(isPhone).length >= texts.length * MOST)
    return 'phone_number'
  if (
    field === 'belt_level' &&
    texts.every((text) => /^(k|pre k|\d{1,2}(st|nd|rd|th)?)$/.test(fold(text)))
  )
    return ''
  return field
}

/** The column of each field: the student's own before the household's, else the first. */
function columnsByField(
  headings: readonly string[],
  fields: readonly Named[],
): Map<ImportField, number> {
  const columnOf = new Map<ImportField, number>()
  const rank = (column: number) => {
    const words = wordsOfHeading(headings[column] ?? '')
    if (OF_STUDENT.test(words)) return 0
    return HOUSEHOLD.test(words) ? 2 : 1
  }
  for (const [column, field] of fields.entries()) {
    if (!field) continue
    const earlier = columnOf.get(field)
    if (earlier === undefined || rank(column) < rank(earlier)) columnOf.set(field, column)
  }
  return columnOf
}

/** Where a sheet has columns for the mother and for the father, whoever comes second is the second guardian. */
function withParents(headings: readonly string[], fields: Named[]): Named[] {
  const parents = headings.map(parentIn)
  const firstParent = parents.find((parent) => parent !== null)
  return fields.map((field, column) =>
    field && parents[column] && parents[column] !== firstParent
      ? (field.replace(/^guardian_(?!2)/, 'guardian_2_') as ImportField)
      : field,
  )
}
