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
  'is_trial',
  'on_vacation',
  'guardian_name',
  'guardian_first_name',
  'guardian_last_name',
  'guardian_relation',
  'guardian_email',
  'guardian_phone',
  'guardian_2_name',
  'guardian_2_first_name',
  'guardian_2_last_name',
  'guardian_2_relation',
  'guardian_2_email',
  'guardian_2_phone',
  'allergies',
  'medical_note',
  'private_notes',
] as const
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** Headings of fields, folded, as the exports of Gymdesk, Kicksite, Zen Planner and hand-made sheets have them, beside the fields' own names. */
const HEADINGS: Partial<Record<ImportField, string>> = {
  name: 'name|full name|student|student name|member|member name|participant|participant name|athlete|child|child name|display name|contact name|nombre|nom|schuler|mitglied',
  first_name:
    'first|first name|firstname|given name|student first name|member first name|child first name|vorname|prenom|fname',
  last_name:
    'last|last name|lastname|surname|family name|student last name|member last name|child last name|nachname|apellido|apellidos|lname',
  email:
    'email|e mail|email address|e mail address|primary email|student email|member email|mail|correo|contact email',
  phone_number:
    'phone|phone number|mobile|mobile phone|mobile number|cell|cell phone|cellphone|primary phone|primary phone number|telephone|tel|telefon|handy|contact number|student phone|member phone|home phone|telefono|contact phone',
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
  status: 'status|member status|membership status|student status|account status|enrollment status',
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
const GUARDIAN_PARTS: [part: string, pattern: RegExp][] = [
  ['first_name', /^(first|given) name$|^first$/],
  ['last_name', /^(last|family) name$|^last$|^surname$/],
  ['email', /^(primary )?e ?mail( address)?$/],
  [
    'phone',
    /^(cell|mobile|home|primary|contact)? ?(phone|cell|mobile|number|telephone|telefon)( number| 1)?$/,
  ],
  ['relation', /^relation(ship)?( to student| to child)?$/],
  ['name', /^(full )?name$|^$|^\d$/],
]

/** Headings of dates, numbers and names that are none of a student's fields, whatever their values look like. */
const NOT_A_FIELD =
  /\b(id|number of|address|street|city|state|zip|postal|country|join|joined|start|started|signup|signed|created|last|next|expir\w*|renew\w*|attend\w*|visits?|balance|age|due|paid|tags?|password|username|photo|waiver|source|promot\w*|stripes?|membership|referr\w*|since|end)\b/

/** Which field a heading names; '' for one that is known to name none, undefined for one that is not known. */
export function fieldOfHeading(heading: string): ImportField | '' | undefined {
  const words = fold(heading.replaceAll('_', ' ')).replace(
    / (optional|required|mm dd yyyy|dd mm yyyy|yyyy mm dd|m d y)$/,
    '',
  )
  const known =
    FIELD_OF_HEADING.get(words) ??
    (/^[$€£]+$/.test(heading.trim()) ? 'monthly_payment_amount' : undefined)
  if (known) return known
  const [, second, , number, rest = ''] = GUARDIAN.exec(words) ?? []
  const part = GUARDIAN.test(words) && GUARDIAN_PARTS.find(([, pattern]) => pattern.test(rest))?.[0]
  if (part)
    return `guardian_${second || number === '2' || number === 'two' ? '2_' : ''}${part}` as ImportField
  return NOT_A_FIELD.test(words) ? '' : undefined
}

/** Which of two parents a heading is about, where it names one. */
const parentIn = (heading: string) =>
  /^(mother|mom|mum|mutter)/.test(fold(heading))
    ? 'mother'
    : /^(father|dad|vater)/.test(fold(heading))
      ? 'father'
      : null

const HEADING_ROWS = 10

/** The place of the row of headings: of the first ten that in which most name a field; -1 where the sheet has none. */
export function headingRow(rows: readonly (readonly string[])[]): number {
  const counts = rows
    .slice(0, HEADING_ROWS)
    .map(
      (row) => row.filter((cell) => cell.length <= 60 && fieldOfHeading(cell) !== undefined).length,
    )
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
  [
    'phone_number',
    (text) =>
      /^[+\d][\d\s().+/-]{6,18}$|^\(\d{3}\)[\d\s.-]{7,9}$/.test(text) &&
      text.replaceAll(/\D/g, '').length >= 7,
  ],
  ['gender', (text) => parseGender(text) !== null],
  ['belt_level', (text) => parseBelt(text) !== null],
  [
    'monthly_payment_amount',
    (text) => /[$€£]|[.,]\d{2}$/.test(text) && !Number.isNaN(parseAmount(text)),
  ],
  ['name', (text) => /^\p{L}[\p{L}\p{M}'’.-]*,? \p{L}[\p{L}\p{M}'’. -]*$/u.test(text)],
]

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

/**
 * What each column means, by its heading, else by its values; null for one that is left out. Each field is given once, but for phone numbers:
 * of several the first that is filled counts. `today` is YYYY-MM-DD.
 */
export function guessFields(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  today: string,
): (ImportField | null)[] {
  const named = withParents(headings, headings.map(fieldOfHeading))
  const taken = new Set<string>()
  const first = named.map((field) => {
    if (!field || (taken.has(field) && field !== 'phone_number'))
      return field === undefined ? undefined : null
    taken.add(field)
    return field
  })
  if (taken.has('first_name') || taken.has('last_name')) taken.add('name')
  return first.map((field, column) => {
    if (field !== undefined) return field
    const guessed = fieldOfValues(
      rows.map((row) => row[column] ?? ''),
      today,
      taken,
    )
    if (guessed) taken.add(guessed)
    return guessed
  })
}

type Named = ImportField | '' | undefined
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
