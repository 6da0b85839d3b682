/** Whether tests with a short variant for the suite run completely: `npm run test:laws`. */
export const isWholeRun = process.env["WHOLE_RUN"] === "yes"
