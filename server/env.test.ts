import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readEnv } from './env.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'tatami-env-'))
afterAll(() => rmSync(folder, { recursive: true }))
const read = (environment: Record<string, string> = {}) =>
  readEnv(environment, join(folder, 'none'))

test('has a default for every setting', () => {
  expect(read()).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: 'http://127.0.0.1:3000',
    dataDir: join(root, 'data'),
    dataDirIsDefault: true,
    backupDir: undefined,
    databaseUrl: undefined,
    superAdminEmail: undefined,
    recoverSuperAdmin: undefined,
    activationTime: 'one business day',
    smsPerSecond: 10,
    logLevel: undefined,
    logDays: 92,
    trustProxy: false,
    signInsPerMinute: 60,
    registrationsPerHour: 30,
    consentsPerHour: 30,
    exportsPerHour: 60,
    failedSignIns: 10,
  })
})

test('parses the given settings', () => {
  expect(
    read({
      PORT: '8080',
      HOST: '::1',
      DATA_DIR: '/srv/tatami',
      SUPER_ADMIN_EMAIL: 'Boss@Dojo.com',
      LOG_LEVEL: 'warn',
    }),
  ).toMatchObject({
    port: 8080,
    publicUrl: 'http://[::1]:8080',
    dataDir: '/srv/tatami',
    dataDirIsDefault: false,
    superAdminEmail: 'boss@dojo.com',
    logLevel: 'warn',
  })
  expect(read({ PUBLIC_URL: 'https://tatami.example/' }).publicUrl).toBe('https://tatami.example')
  expect(read({ DATA_DIR: 'elsewhere' }).dataDir).toBe(join(root, 'elsewhere'))
  expect([
    read({ BACKUP_DIR: 'elsewhere' }).backupDir,
    read({ BACKUP_DIR: 'none' }).backupDir,
  ]).toEqual([join(root, 'elsewhere'), null])
})

test('treats an empty value as missing', () => {
  expect(read({ PORT: '', DATA_DIR: ' ', DATABASE_URL: '' })).toMatchObject({
    port: 3000,
    dataDirIsDefault: true,
    databaseUrl: undefined,
  })
})

test('reads settings from .env that the environment does not set', () => {
  const file = join(folder, '.env')
  writeFileSync(file, 'PORT=4000\nHOST="0.0.0.0"\n# LOG_LEVEL=debug\nSMTP_URL=\n')
  expect(readEnv({ HOST: '10.0.0.1', PORT: '' }, file)).toMatchObject({
    port: 4000,
    host: '10.0.0.1',
    logLevel: undefined,
    smtpUrl: undefined,
  })
})

test.each([
  ['true', 1],
  ['false', false],
  ['2', 2],
  ['10.0.0.0/8, ::1,loopback', ['10.0.0.0/8', '::1', 'loopback']],
])('parses TRUST_PROXY %s', (setting, trustProxy) => {
  expect(read({ TRUST_PROXY: setting }).trustProxy).toEqual(trustProxy)
})

describe('reports a wrong value in one line', () => {
  test.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535.'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 1 to 65535.'],
    [{ PORT: '80.5' }, 'PORT must be a whole number from 1 to 65535.'],
    [{ PUBLIC_URL: 'ftp://x.y' }, 'PUBLIC_URL must be an http or https address.'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must be a postgres:// address.'],
    [{ APP_DATABASE_URL: 'postgres://x' }, 'APP_DATABASE_URL also needs DATABASE_URL.'],
    [{ READ_DATABASE_URL: 'postgres://x' }, 'READ_DATABASE_URL also needs DATABASE_URL.'],
    [{ SUPER_ADMIN_EMAIL: 'boss' }, 'SUPER_ADMIN_EMAIL must be an email address.'],
    [{ SUPER_ADMIN_PASSWORD: 'short' }, 'SUPER_ADMIN_PASSWORD must have at least 8 characters.'],
    [
      { TRUST_PROXY: 'everyone' },
      'TRUST_PROXY must be true, false, a number of proxies, or their addresses ' +
        'separated by commas.',
    ],
    [
      { LOG_LEVEL: 'loud', FAILED_SIGN_INS: '0' },
      'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent. ' +
        'FAILED_SIGN_INS must be a whole number from 1 to 1000000.',
    ],
    [{ TWILIO_ACCOUNT_SID: 'foo' }, 'TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits.'],
    [
      { TWILIO_FROM: '512-555-0142' },
      'TWILIO_FROM must be a number like +15125550100, a short code, or a sender name.',
    ],
    [{ SMS_PROVIDER: 'pigeon' }, 'SMS_PROVIDER must be twilio, simulator or none.'],
    [
      { SMS_PROVIDER: 'twilio' },
      'SMS_PROVIDER is twilio, which needs TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, and ' +
        'TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID.',
    ],
  ])('%j', (environment, line) => {
    expect(() => read(environment)).toThrow(
      expect.objectContaining({ name: 'StartupError', message: line }),
    )
  })
})
