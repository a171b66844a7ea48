export const SentMessages = () => null
