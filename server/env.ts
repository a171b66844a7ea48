import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { StartupError } from './lib/startup-error.ts'

/** Relative paths in the settings start in this folder. */
const ROOT = dirname(import.meta.dirname)

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelCase<Tail>>}`
  : Lowercase<Name>
type CamelCaseKeys<Values> = { [Name in keyof Values as CamelCase<Name & string>]: Values[Name] }

const toCamelCase = (name: string) =>
  name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const toCamelCaseKeys = <Values extends object>(
  values: Values,
  names: (keyof Values & string)[],
): CamelCaseKeys<Values> =>
  Object.fromEntries(
    names.map((name) => [toCamelCase(name), values[name]]),
  ) as CamelCaseKeys<Values>

const wholeNumber = (min: number, max: number) => {
  const message = `must be a whole number from ${min} to ${max}`
  return z.coerce.number(message).int(message).min(min, message).max(max, message)
}
const wholeNumberOr = (min: number, max: number, fallback: number) =>
  wholeNumber(min, max).default(fallback)
const hostName = z.string().regex(/^[\w.:%-]+$/, 'must be a host name or an address')
const optionalText = z.string().optional()
/** An id from Twilio, such as AC… for an account. */
const twilioId = (prefix: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}[0-9a-fA-F]{32}$`), `must be ${prefix} and 32 hexadecimal digits`)
    .optional()
const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((url) => url.replace(/\/+$/, ''))
  .optional()
const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\/./, 'must be a postgres:// address')
  .optional()

/** False, the number of proxies (`true` means one), or their addresses. Trusting every proxy is
 *  unsafe. */
const trustProxy = z
  .string()
  .transform((value, context) => {
    if (/^false$/i.test(value)) return false
    if (/^true$/i.test(value)) return 1
    if (/^\d+$/.test(value)) return Number(value)
    const addresses = value.split(',').map((part) => part.trim())
    const isAddress = (address: string) =>
      /^(loopback|linklocal|uniquelocal)$/.test(address) ||
      isIP(address.replace(/\/\d{1,3}$/, '')) > 0
    if (!addresses.every(isAddress))
      context.addIssue(
        'must be true, false, a number of proxies, or their addresses separated by commas',
      )
    return addresses
  })
  .default(false)

const settingsSchema = z
  .object({
    PORT: wholeNumberOr(1, 65_535, 3000),
    HOST: hostName.default('127.0.0.1'),
    PUBLIC_URL: webAddress,
    DATA_DIR: z.string().optional(),
    BACKUP_DIR: z.string().optional(),
    DEMO: z.enum(['1'], 'must be 1').optional(),
    API_ONLY: z.enum(['1'], 'must be 1').optional(),
    DATABASE_URL: postgresAddress,
    APP_DATABASE_URL: postgresAddress,
    READ_DATABASE_URL: postgresAddress,
    SUPER_ADMIN_EMAIL: z
      .string()
      .toLowerCase()
      .pipe(z.email('must be an email address'))
      .optional(),
    SUPER_ADMIN_PASSWORD: z
      .string()
      .min(8, 'must have at least 8 characters')
      .max(128, 'must have at most 128 characters')
      .optional(),
    RECOVER_SUPER_ADMIN: z
      .string()
      .toLowerCase()
      .pipe(z.email('must be an email address'))
      .optional(),
    ACTIVATION_TIME: z
      .string()
      .max(60, 'must have at most 60 characters')
      .default('one business day'),
    SECRETS_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
    TWILIO_ACCOUNT_SID: twilioId('AC'),
    TWILIO_AUTH_TOKEN: optionalText,
    TWILIO_FROM: z
      .string()
      .regex(
        /^(\+[1-9]\d{6,14}|\d{5,6}|[A-Za-z0-9 ]{1,11})$/,
        'must be a number like +15125550100, a short code, or a sender name',
      )
      .optional(),
    TWILIO_MESSAGING_SERVICE_SID: twilioId('MG'),
    TWILIO_API_URL: webAddress,
    STRIPE_API_URL: webAddress,
    STRIPE_TEST_PAYMENTS: z.enum(['count', 'ignore']).default('ignore'),
    SMS_PROVIDER: z
      .enum(['twilio', 'simulator', 'none'], 'must be twilio, simulator or none')
      .optional(),
    SMS_PER_SECOND: wholeNumberOr(1, 1000, 10),
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\/./, 'must be an smtp:// or smtps:// address')
      .optional(),
    MAIL_FROM: z.string().includes('@', 'must contain an email address').optional(),
    LOG_LEVEL: z
      .enum(
        ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
        'must be fatal, error, warn, info, debug, trace or silent',
      )
      .optional(),
    LOG_DAYS: wholeNumberOr(1, 3650, 92),
    TRUST_PROXY: trustProxy,
    METRICS_PORT: wholeNumber(1, 65_535).optional(),
    METRICS_HOST: hostName.default('127.0.0.1'),
    SIGN_INS_PER_MINUTE: wholeNumberOr(1, 1_000_000, 60),
    REGISTRATIONS_PER_HOUR: wholeNumberOr(1, 1_000_000, 30),
    CONSENTS_PER_HOUR: wholeNumberOr(1, 1_000_000, 30),
    EXPORTS_PER_HOUR: wholeNumberOr(1, 1_000_000, 60),
    FAILED_SIGN_INS: wholeNumberOr(1, 1_000_000, 10),
  })
  .superRefine((variables, context) => {
    const addIssue = (name: keyof typeof variables, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message })
    for (const name of ['APP_DATABASE_URL', 'READ_DATABASE_URL'] as const)
      if (variables[name] && !variables.DATABASE_URL) addIssue(name, 'also needs DATABASE_URL')
    const canText =
      variables.TWILIO_ACCOUNT_SID &&
      variables.TWILIO_AUTH_TOKEN &&
      (variables.TWILIO_FROM || variables.TWILIO_MESSAGING_SERVICE_SID)
    if (variables.SMS_PROVIDER === 'twilio' && !canText) {
      addIssue(
        'SMS_PROVIDER',
        'is twilio, which needs TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, and TWILIO_FROM ' +
          'or TWILIO_MESSAGING_SERVICE_SID',
      )
    }
  })

type Variables = z.infer<typeof settingsSchema>
export type Env = CamelCaseKeys<
  Omit<Variables, 'DATA_DIR' | 'BACKUP_DIR' | 'DEMO' | 'API_ONLY'>
> & {
  publicUrl: string
  /** If undefined, backups go into the data folder. If null, there are no nightly backups. */
  backupDir: string | null | undefined
  dataDir: string
  dataDirIsDefault: boolean
  isDemo: boolean
  servesWeb: boolean
  npmScript: string | undefined
  /** The folder in which npm was started. */
  callerDir: string
}

export const settingsFile = (environment: NodeJS.ProcessEnv = process.env): string =>
  environment.ENV_FILE?.trim() || join(ROOT, '.env')

/** Reads the settings from the environment, and those that are not set there from `.env`. Throws a
 *  StartupError that says what is wrong. */
export function readEnv(
  environment: NodeJS.ProcessEnv = process.env,
  envFile = settingsFile(environment),
): Env {
  const fromFile = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {}
  const variables = { ...removeEmpty(fromFile), ...removeEmpty(environment) }
  const { success, data, error } = settingsSchema.safeParse(variables)
  if (!success)
    throw new StartupError(
      error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`).join(' '),
    )
  const names = Object.keys(settingsSchema.shape) as (keyof Variables)[]
  const host = isIP(data.HOST) === 6 ? `[${data.HOST}]` : data.HOST
  const dataDir = resolve(ROOT, data.DATA_DIR ?? (data.DEMO ? 'demo-data' : 'data'))
  return {
    ...toCamelCaseKeys(data, names),
    publicUrl: data.PUBLIC_URL ?? `http://${host}:${data.PORT}`,
    dataDir,
    dataDirIsDefault: !data.DATA_DIR,
    backupDir:
      data.BACKUP_DIR === 'none' ? null : data.BACKUP_DIR && resolve(ROOT, data.BACKUP_DIR),
    isDemo: data.DEMO !== undefined,
    servesWeb: data.API_ONLY === undefined,
    npmScript: variables.npm_lifecycle_event,
    callerDir: variables.INIT_CWD ?? process.cwd(),
  }
}

const removeEmpty = (values: NodeJS.Dict<string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value?.trim()))
