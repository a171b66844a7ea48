/** Finishes installing the embedded PostgreSQL, so that running Tatami writes nothing into the
 *  clone. */
import { linkBinaries } from '@tatami/postgres/binaries'

linkBinaries()
