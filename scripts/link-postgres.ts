/** Finishes the installation of the embedded PostgreSQL, so that nothing has to be written into the clone when Tatami runs. */
import { linkBinaries } from '@tatami/postgres/binaries'

linkBinaries()
