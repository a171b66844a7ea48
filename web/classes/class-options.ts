import { timeRange, type DojoClass } from '@tatami/contract/classes'

/** Classes for a select. Those of one name are told apart by their time. */
export const classOptions = (classes: readonly DojoClass[], all = classes) =>
  classes.map((one) => {
    const isAlone = all.every(({ id, class_name }) => id === one.id || class_name !== one.class_name)
    return { value: one.id, label: isAlone ? one.class_name : `${one.class_name}, ${timeRange(one)}` }
  })
