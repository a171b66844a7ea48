export const SmsSetupTab = () => null
