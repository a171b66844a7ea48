import { runQueries } from './temporary-cluster.ts'

/** Gives the serving role all privileges, for tests that write what no server statement does. */
export const grantEverything = ({ adminUrl }: { adminUrl: string }): Promise<void> =>
  runQueries(
    adminUrl,
    'set role tatami_owner',
    'grant select, insert, update, delete on all tables in schema public to tatami_app',
  )
