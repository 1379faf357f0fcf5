/** Whether an on/off value of OOXML is on; without a value, it is. */
export const isOn = (value: string | undefined): boolean => value !== '0' && value !== 'false' && value !== 'off'
