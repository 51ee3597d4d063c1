// Loads the generated ledger. Usage: node load.mjs PORT PASSWORD < ledger.json
import { readFileSync } from "node:fs";
import { api, connect } from "./api.mjs";

const [port, password] = process.argv.slice(2);
const data = JSON.parse(readFileSync(0, "utf8"));
await connect("/tmp/load", port, password);
await api.runImport(data.budget, async () => {
  const accounts = {}, categories = {};
  for (const group of await api.getCategoryGroups()) if (!group.is_income) await api.deleteCategoryGroup(group.id);
  const income = (await api.getCategoryGroups()).find((group) => group.is_income);
  for (const category of income.categories) await api.deleteCategory(category.id);
  for (const name of data.income)
    categories[name] = await api.createCategory({ name, group_id: income.id, is_income: true });
  for (const [group, names] of Object.entries(data.groups)) {
    const id = await api.createCategoryGroup({ name: group });
    for (const name of names) categories[name] = await api.createCategory({ name, group_id: id });
  }
  for (const name of Object.keys(data.accounts)) accounts[name] = await api.createAccount({ name, offbudget: false });
  for (const [name, id] of Object.entries(accounts)) {
    const entries = data.entries
      .filter((entry) => entry.account === name)
      .map(({ date, payee, category, amount, notes, cleared, imported }) => ({
        date,
        payee_name: payee,
        category: category ? categories[category] : null,
        amount,
        notes,
        cleared,
        imported_id: imported,
      }));
    if (data.accounts[name])
      entries.unshift({
        date: data.entries[0].date,
        payee_name: "Starting Balance",
        category: categories["Starting balances"],
        amount: data.accounts[name],
        cleared: true,
        starting_balance_flag: true,
      });
    await api.addTransactions(id, entries, { learnCategories: false });
  }
  const payees = await api.getPayees();
  for (const { date, from, to, amount, notes } of data.transfers) {
    const payee = payees.find((one) => one.transfer_acct === accounts[to]).id;
    await api.addTransactions(accounts[from], [{ date, payee, amount: -amount, notes, cleared: true }], {
      runTransfers: true,
    });
  }
  for (const month of data.months)
    for (const [name, amount] of Object.entries(data.planned))
      await api.setBudgetAmount(month, categories[name], amount);
});
await api.sync();
await api.shutdown();
