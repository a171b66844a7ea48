export const Inbox = () => null
