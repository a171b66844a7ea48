export const Mats = () => <svg />
