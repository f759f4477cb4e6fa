// How people name a version besides writing its label as it is (R31).

export const LATEST = 'latest';

/** The same label with or without a leading `v`. */
export const otherLabel = (label: string) => (/^v[0-9]/.test(label) ? label.slice(1) : `v${label}`);
