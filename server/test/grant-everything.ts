import { runQueries } from './temporary-cluster.ts'

/** Gives the app's role all privileges, for tests that write rows that the server never writes. */
export const grantEverything = ({ adminUrl }: { adminUrl: string }): Promise<void> =>
  runQueries(
    adminUrl,
    'set role tatami_owner',
    'grant select, insert, update, delete on all tables in schema public to tatami_app',
  )
