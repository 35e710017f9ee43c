import fc from 'fast-check';

/** Without the signs of masks, escapes and links, and those that separate addresses. */
export const usualAddress = fc.emailAddress().filter((email) => !/[*%?{|}\x60]/.test(email));
