import type { Gateway } from "../../typescript/src/index.ts"

/** The examples of tools name the first records of an account, such as lead 12. */
const leadCount = 20

/** Fills the first account of a new gateway, so that examples find what they name. */
export const fillAccount = async (gateway: Gateway): Promise<void> => {
  const rows = Array.from(
    { length: leadCount },
    (_, index) =>
      `Person ${index + 1};person${index + 1}@first.example;+55119${70_000_000 + index};Company ${index + 1}`
  )
  const file = await gateway.uploadFile({
    name: "first.csv",
    content: `Name;E-mail;Phone;Company\n${rows.join("\n")}\n`
  })
  for (const name of ["First", "Second", "Third"]) {
    await gateway.campaigns.createCampaign({ name, business_name: "Clínica Sorriso" })
  }
  await gateway.eventsAndWebhooks.createWebhookSubscription({ url: "https://hooks.example.com/first" })
  const { job_id } = await gateway.leadOperations.importLeads({
    customer_file_id: file.customer_file_id,
    campaign: "First"
  })
  await gateway.waitForJob(job_id, { intervalMillis: 100 })
}
