import { runQueries } from './temporary-cluster.ts'

/** Lets the serving role do everything to every table of this test's database, for a test that writes what no statement of the server writes. */
export const grantEverything = ({ adminUrl }: { adminUrl: string }): Promise<void> =>
  runQueries(
    adminUrl,
    'set role tatami_owner',
    'grant select, insert, update, delete on all tables in schema public to tatami_app',
  )
