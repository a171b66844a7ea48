/** Read before a dojo is known, or outliving it: these carry no dojo's policy. Anything else belongs to a dojo. */
export const GLOBAL: Record<string, string> = {
  accounts: 'who signs in is looked up by e-mail before a dojo is known',
  sessions: 'a token is all that a request brings',
  ended_sessions: 'a token is all that a request brings',
  passkeys: 'a credential is all that a sign-in brings',
  passkey_challenges: 'asked for by somebody who is not signed in',
  totp_secrets: 'read while signing in, before a dojo is known',
  recovery_codes: 'read while signing in, before a dojo is known',
  sign_in_failures: 'guesses count for e-mails that have no account, too',
  sign_in_addresses: 'read while signing in, before a dojo is known',
  password_resets: 'asked for by somebody who is not signed in',
  account_recoveries: 'opened by somebody who is not signed in',
  consents: 'whoever consents names a sensei in their own words; no dojo is known',
  system_config: 'one row, set for all dojos',
  sending_rate: 'one row: the rate holds over all dojos',
  phone_opt_outs: 'one number may serve students of several dojos, and STOP means all of them',
  provider_messages: 'a provider calls with its own id, before a dojo is known',
  backups: 'a backup holds all dojos',
  vapid_keys: 'one row: every browser subscribes with the same key',
  dojos: 'a dojo is known before anyone is in it',
  audit_log: "the super admin's acts concern no one dojo, and it outlives what it tells of",
  sensei_directory: "the super admin's list of every dojo's instructors",
  sensei_totals: 'one row: how many instructors there are',
  migrations: 'the history of the tables themselves',
}

/** Global, and yet each row names a dojo: a caller is found before the dojo is, the acts outlive it, and a list shows all dojos. */
export const GLOBAL_TABLES_WITH_DOJO_ID = [
  'accounts',
  'audit_log',
  'provider_messages',
  'sensei_directory',
]
