/** Groups of the values of 'Operation', by which fields and options are shown. */
export const SINGLE_SUBMIT_OPERATIONS = ['submitAndWait', 'submit'];
export const BULK_SUBMIT_OPERATIONS = ['submitBulkAndWait', 'submitBulk'];
export const SUBMIT_OPERATIONS = [...SINGLE_SUBMIT_OPERATIONS, ...BULK_SUBMIT_OPERATIONS];
export const WAIT_OPERATIONS = ['submitAndWait', 'submitBulkAndWait'];
export const READ_OPERATIONS = ['getResult', 'getBulkResult'];
