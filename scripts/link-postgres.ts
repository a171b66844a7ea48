/** Links PostgreSQL's libraries now, so the running server need not write into its own folder. */
import { linkBinaries } from '@tatami/postgres/binaries'

linkBinaries()
