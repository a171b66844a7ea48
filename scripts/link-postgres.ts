/** Links PostgreSQL's libraries during the installation, so the server does not have to write into
 *  its own folder later. */
import { linkBinaries } from '@tatami/postgres/binaries'

linkBinaries()
