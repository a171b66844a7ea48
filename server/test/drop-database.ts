import { runQueries } from './temporary-cluster.ts'

/** With whoever is still in it. Not `with (force)`: that refuses to end an autovacuum for anyone but a superuser, and plain dropping ends it. */
export const dropDatabase = (adminUrl: string, name: string): Promise<void> =>
  runQueries(
    adminUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and backend_type = 'client backend'`,
    `drop database ${name}`,
  )
