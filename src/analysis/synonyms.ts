/**
 * Ways to write the same thing, one group a line, the first being its name: what professionals of one field call by several
 * words when they mean one measured or stated thing. Words that only sometimes mean the same do not belong here; a scope's
 * glossary can say so for its own documents.
 */

const FINANCE = `
revenue, turnover, sales, net sales, top line, sales revenue
arr, annual recurring revenue, annualised recurring revenue, annualized recurring revenue
mrr, monthly recurring revenue
nrr, net revenue retention
cogs, cost of revenue, cost of sales, cost of goods sold
opex, operating expenses, operating expenditure, operating costs, running costs
capex, capital expenditure, capital spending, capital investment
ebit, operating profit, operating income, operating result
net income, net profit, net earnings, profit for the year
pretax profit, pre-tax profit, pretax earnings
cash, cash position, cash balance, cash and cash equivalents, cash at bank
gross margin, gross profit margin
price, consideration, purchase consideration, purchase price, acquisition price, offer price, valuation, offer range, indicative valuation, enterprise value
net debt, net borrowings
borrowings, indebtedness, debt outstanding, loans outstanding, outstanding debt
leverage, leverage ratio, net debt to ebitda
icr, interest cover, interest coverage, interest cover ratio, interest coverage ratio
ltv, loan to value, loan-to-value, loan to value ratio
dscr, debt service cover, debt service coverage, debt service coverage ratio, debt service cover ratio
wault, weighted average unexpired lease term
roce, return on capital employed
roe, return on equity
eps, earnings per share
receivables, trade receivables, accounts receivable, trade debtors
payables, accounts payable, trade payables, trade creditors
inventory, stock on hand, inventories, stockholding
impairment, writedown
expenditure, spending, spend, outlay
shortfall, deficit, funding gap
sale, disposal, divestment, divestiture
dividend, dividend payment, dividend distribution
interest rate, rate of interest, coupon
loan, credit facility, loan facility, term loan
shareholding, stake, equity stake, ownership interest, equity interest, ownership share, participation interest
nav, net asset value
investor, unit holder, unitholder, holder
aum, assets under management
dso, days sales outstanding
scr, solvency capital requirement
best estimate, best estimate liabilities, best estimate liability
client, customer, client count, customer count
npl, non-performing loans, non-performing loan, nonperforming loans, non-performing exposures, npe
npl ratio, non-performing loan ratio, non-performing loans ratio, nonperforming loan ratio, npe ratio
cre exposure, commercial real estate exposure, commercial real estate loans, commercial property loans, commercial real estate lending, commercial property exposure
rwa, risk-weighted assets, risk weighted assets
cet1, common equity tier 1, core equity tier 1
lcr, liquidity coverage ratio
nsfr, net stable funding ratio
p2r, pillar 2 requirement
eve, economic value of equity
ecl, expected credit loss, expected credit losses, expected credit loss allowance, loan loss allowance
customer deposits, client deposits, deposits from customers
net interest income, nii
loan book, gross loans, gross loans to customers, loans to customers
`

const INSURANCE = `
deductible, policy excess, self-insured retention
sum insured, insured sum, insured amount, insured value
policyholder, insured party, assured
loss reserve, claims reserve, claims provision, loss provision
insurer, insurance company, underwriter
cover, coverage, insurance cover
`

const COMPLIANCE = `
personal data, personal information
data subject, affected individual, affected person, individuals affected, persons affected, people affected, individuals concerned
breach, violation, infringement, contravention
beneficial owner, ubo, ultimate beneficial owner
pep, politically exposed person
sar, suspicious activity report, suspicious transaction report, suspicious transaction
cdd, customer due diligence, client due diligence
edd, enhanced due diligence
kyc, know your customer, know your client
aml, anti-money laundering
mlro, money laundering reporting officer
dpo, data protection officer
retention period, data retention, storage period, retention time
nonconformity, non-conformity, non-conformance
capa, corrective action, corrective measure, remedial action, remedial measure, remediation action, corrective and preventive action
risk rating, risk score, risk class, risk classification, risk category
complaint, grievance
supplier, vendor
subcontractor, sub-contractor
penalty, fine, monetary penalty, administrative fine, civil penalty, financial penalty
`

const CLINICAL = `
sae, serious adverse event
ae, adverse event
teae, treatment-emergent adverse event
adr, adverse drug reaction, adverse reaction
death, fatality, fatal event, fatal outcome, fatal case, mortality
os, overall survival
pfs, progression-free survival
orr, objective response rate, overall response rate
hr, hazard ratio
ci, confidence interval
enrolment, enrollment, recruitment, accrual
randomised, randomized, patients randomized, randomisation
patient, participant, study participant, trial participant, study subject
dose, dosage, dosing
discontinuation, treatment discontinuation, withdrawal from treatment, dropout
follow-up, observation period
screen failure, screening failure
hospitalisation, hospitalization, hospital admission, inpatient admission
length of stay, hospital stay, duration of stay
primary endpoint, primary outcome, primary end point, primary efficacy endpoint, primary outcome measure
secondary endpoint, secondary outcome, secondary end point
protocol deviation, protocol violation
informed consent, consent form, icf
ethics committee, institutional review board, irb, research ethics committee
dsmb, data safety monitoring board, data and safety monitoring board, data monitoring committee, dmc, idmc
physician, doctor, clinician
surgery, surgical procedure, surgical intervention
haemoglobin, hemoglobin, hb
blood pressure, bp
waiting time, wait time, waiting period, average wait
recall, field safety corrective action, fsca, field action
batch, lot
shelf life, storage life
software version, firmware version, software release, firmware release, firmware
`

const LEGAL = `
contract, agreement, contractual agreement
contract price, contract sum, contract value, contract amount
effective date, commencement date, date of entry into force, entry into force
closing, closing date, completion date
termination, termination date, expiry date, expiration date
notice period, period of notice
governing law, applicable law
seat of arbitration, place of arbitration, arbitral seat
liability cap, cap on liability, limitation of liability
litigation, lawsuit, legal proceedings, suit, court case
claimant, plaintiff
respondent, defendant
damages, compensation, indemnification
liquidated damages, delay damages, lds
warranty period, guarantee period, defects liability period, defects notification period
performance bond, performance guarantee, performance security
advance payment, prepayment
retention money, retention amount, retention sum
extension of time, eot, time extension
variation, change order, variation order
legal costs, legal fees, attorney fees, costs of the proceedings
default interest, late payment interest
rent, lease payment, rental payment, rental, passing rent
deposit, security deposit, rent deposit
tenant, lessee, leaseholder
landlord, lessor
term, duration
`

const INDUSTRY = `
capacity, installed capacity, nameplate capacity, rated capacity, nominal capacity, rated power, installed power
load factor, capacity factor
output, generation, energy output, electricity generated, power generation, production, energy yield
throughput, ore processed, processed ore
outage, interruption, unplanned outage, forced outage
downtime, standstill
emission, co2 emissions, carbon emissions, greenhouse gas emissions, ghg emissions, carbon dioxide emissions
energy consumption, energy use, electricity consumption, power consumption
water consumption, water use, water usage, water withdrawal
effluent, wastewater, waste water
leak, leakage, seepage
lti, lost time injury, lost-time injury, lost time incident, lost-time accident
near miss, close call
failure, malfunction, fault, breakdown
delay, late, lateness
alarm, alert
safety factor, factor of safety, fos
tailings facility, tsf, tailings storage facility, tailings dam
borehole, drill hole, drillhole
rehabilitation bond, closure bond, reclamation bond, closure guarantee, financial assurance
commissioning, commercial operation date, commissioning date, start of operation
overtime, extra hours
scrap rate, reject rate, rejection rate
yield, yield rate
weight, mass
kilometre, km, kilometer
speed, velocity
sound level, noise level, sound pressure level
`

const SERVICES = `
uptime, availability, system availability, service availability
latency, response time
rto, recovery time objective, recovery time
rpo, recovery point objective
mfa, multi-factor authentication, two-factor authentication
vulnerability, security flaw
processing time, handling time, turnaround time
lead time, delivery time, delivery period
punctuality, on-time performance, on-time arrivals, on-time running
cancellation, cancelled services, cancelled trains, cancelled departures
ridership, passenger numbers, passengers carried, passenger journeys
rolling stock, fleet
trainset, train set, multiple unit
vessel, ship
cargo, consignment
parking space, parking bay, car parking space, parking place
gross floor area, gfa
floor area, floor space, floorspace
dwelling, housing unit, residential unit
student, pupil
teacher, teaching staff
resident, inhabitant
grant, subsidy
tender, bid
tenderer, bidder
`

const PEOPLE = `
headcount, fte, full-time equivalents, employees, staff, workforce, employee count, staff numbers, staffing level
staff turnover, employee turnover, attrition, labour turnover
sick leave, sickness absence, absenteeism
vacancy, vacant position, open position, unfilled position
ceo, chief executive, chief executive officer, managing director
cfo, chief financial officer, finance director
cro, chief risk officer
chair, chairman, chairperson, chairwoman
average, mean
`

export const SYNONYMS: readonly (readonly string[])[] = [FINANCE, INSURANCE, COMPLIANCE, CLINICAL, LEGAL, INDUSTRY, SERVICES, PEOPLE]
  .flatMap(field => field.trim().split('\n'))
  .map(line => line.split(',').map(phrase => phrase.trim()))
