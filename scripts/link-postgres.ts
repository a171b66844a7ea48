/** After that, running Tatami does not write into its own folder. */
import { linkBinaries } from '@tatami/postgres/binaries'

linkBinaries()
