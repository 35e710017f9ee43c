/**
 * Texts that users read and that several tests look for, each named by its meaning. Where a message is
 * worded anew, it changes here, and in a test that has it in full: `contract/errors/texts.test.mts` or
 * `table.test.mts` beside it.
 */

/** Of a search whose fate is unknown: any sentence with this meaning, so that it may be improved. */
export const mayHaveBeenCharged = /\b(?:may|might|perhaps|possibly)\b[^.]*\bcharged\b/i;

// What was not started or charged, and how to go on.
export const nothingCharged = 'Nothing was charged';
export const nothingStarted = 'Nothing was started';
export const notSentAgain = 'not sent again: check the usage of your account';
export const callWasOver = 'Not started, because the 45 seconds of a tool call were over';
export const wasInterrupted = 'interrupted while it was being sent';
/** n8n's Retry, by the words of its editor. */
export const retryIt = "choose 'Retry with currently saved workflow' in Executions";
export const goOnWithout =
	"To go on without this item, set 'On Error' in the settings of the node to Continue";
export const nothingStartedFor =
	'Nothing was started or charged for this item; without the ID it is searched, and paid for.';
export const retryPaysAgain = 'A retry of the workflow that called this one would pay again.';
export const nothingChargedForThis = 'Nothing was charged for this item.';
export const alreadyPaidFor = 'Already started and paid for';

// Limits on what a run may cost.
export const doesNotCover = 'does not cover';
export const cannotBeKept = 'cannot be kept';

// The service, and its answers.
export const unreachable = 'The service could not be reached';
export const notAsked = 'The service could not be asked';
export const notUnderstood = 'The answer of the service could not be understood';
export const couldNotProcess = 'The service could not process the ';
export const connectionBroke = 'the connection broke before the answer was complete';
export const connectionRefused = 'the service refused the connection';
export const noAnswerInTime = 'no answer came in time';
export const answerWithoutId = 'the answer of the service had no ID in it';
export const askProvider = 'ask the provider about this ID';

// Waiting, and results.
export const notFinishedInTime = 'was not finished within its timeout of';
export const stillRunning = 'it was still running';
export const lastAnswerWas = 'the last answer was: ';
export const finishedWithoutResult =
	'The service says that the search is finished, but gives no result';
export const noResultForItem = 'has no result for this item';
export const toldNothing = ', but tells no ';
export const ofAnotherSearch = 'is for another search than this one';

// Input.
export const noProfilePage = 'must be the address of a profile page';
export const noDomain = 'must be a domain or website such as example.com';
export const noDomainOfCompany = "must be the company's own domain";
export const noName = 'must be a name, but is';
export const noCompany = "must be a company's name, but is";
export const notReadable = 'must be readable, but';
export const moreThanOne = 'that is more than one';
export const noCountry = 'must be a country such as US or Germany';
export const couldNotBeUsed = 'that could not be used';
/** Of a run that stops at bad items: how many of how many. */
export const cannotBeSearched = (bad: number, total: number) =>
	`${bad} of ${total} items cannot be searched`;
export const companyMissing = "'Company Domain' and 'Company Name' are both empty";
export const nameMissing = "'Full Name' is empty";
export const nameAndCompanyMissing = "'Full Name', 'Company Domain' and 'Company Name' are empty";
export const mustBeText = 'must be text';
export const noOperation = 'There is no operation ';
export const chooseFromLists = "Choose 'Resource' and 'Operation' from their lists.";

// The credential.
export const keyMissing = "The 'API Key' of the credential is empty";
export const keyHasCharacter = "The 'API Key' of the credential must not contain the character ";
export const noService = "There is no contact data service at this 'Base URL'. Check the address.";
export const noAccount =
	"No account was found at this 'Base URL'. Check the address, and the 'API Key'.";
export const keyOnlyForBaseUrl = "The API key is only sent to the 'Base URL' of its credential";
export const privateAddress = "n8n's protection against private addresses";

// Pausing.
export const keptRunning = 'The execution kept running instead of being paused: ';
export const neverResumed = 'would never be resumed';
export const tooManyAtOnce = 'Too many notifications at once';

// The trigger.
export const publishFirst = 'Publish this workflow first';
export const noTrigger = 'This workflow has no Contact Data Trigger';
export const workflowStarted = 'The workflow was started';
export const seenBefore = 'This id has been seen before';
export const noSuchSearch = 'There is no such search of the chosen events in this account';
export const notFinishedYet = 'The search is not finished';
export const otherEvent = 'This trigger does not listen to this event';
