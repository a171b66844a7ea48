export const CustomAnnouncements = () => null
