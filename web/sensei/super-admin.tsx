import { logout } from '../accounts/logout.ts'
import { SuperAdminDashboard } from './super-admin-dashboard.tsx'
import { CommonPasswordsRule } from '../accounts/common-passwords-rule.tsx'
import { SecondFactorRules } from '../accounts/second-factor-rules.tsx'

const leave = () => void logout()

const Settings = () => (
  <>
    <SecondFactorRules />
    <CommonPasswordsRule />
  </>
)

/** A user who is refused the data is logged out (specification, section 6). */
export const SuperAdmin = () => <SuperAdminDashboard onForbidden={leave} settings={<Settings />} />
