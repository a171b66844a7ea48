import { IMPORT_FIELDS, type ImportField } from '@tatami/contract/import-columns'

const LABELS: Record<ImportField, string> = {
  name: 'Name',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone_number: 'Phone number',
  belt_level: 'Belt',
  date_of_birth: 'Birthday',
  gender: 'Gender',
  emergency_contact_name: 'Emergency contact',
  emergency_contact_phone: 'Emergency phone',
  classes: 'Classes',
  monthly_payment_amount: 'Monthly fee',
  payment_method: 'Payment method',
  status: 'Status (active, trial, left)',
  is_trial: 'On trial',
  on_vacation: 'On vacation',
  guardian_name: 'Guardian: name',
  guardian_first_name: 'Guardian: first name',
  guardian_last_name: 'Guardian: last name',
  guardian_relation: 'Guardian: relation',
  guardian_email: 'Guardian: email',
  guardian_phone: 'Guardian: phone',
  guardian_2_name: 'Guardian 2: name',
  guardian_2_first_name: 'Guardian 2: first name',
  guardian_2_last_name: 'Guardian 2: last name',
  guardian_2_relation: 'Guardian 2: relation',
  guardian_2_email: 'Guardian 2: email',
  guardian_2_phone: 'Guardian 2: phone',
  allergies: 'Allergies',
  medical_note: 'Medical note',
  private_notes: 'Private notes',
}
export const labelOfField = (field: ImportField): string => LABELS[field]

/** What a column can mean, for a select; '' leaves it out. */
export const FIELD_OPTIONS = [
  { value: '', label: 'Left out' },
  ...IMPORT_FIELDS.map((value) => ({ value: value as string, label: LABELS[value] })),
]
