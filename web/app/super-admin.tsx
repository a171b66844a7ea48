import { logout } from '../profile/logout.ts'
import { SuperAdminDashboard } from '../sensei/super-admin-dashboard.tsx'
import { CommonPasswordsRule } from '../sign-in/common-passwords-rule.tsx'
import { SecondFactorRules } from '../sign-in/second-factor-rules.tsx'

const leave = () => void logout()

const Settings = () => (
  <>
    <SecondFactorRules />
    <CommonPasswordsRule />
  </>
)

/** The super admin's dashboard. Whoever is refused its data is logged out, here and on the server (specification, section 6). */
export const SuperAdmin = () => <SuperAdminDashboard onForbidden={leave} settings={<Settings />} />
