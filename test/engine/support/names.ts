/** The node under test in every workflow of these tests. */
export const NODE = 'BRL Payments';
export const START = 'Start';
