/** Bibliographic files of one work, and of a few others beside it. */
export const bibFile = `@article{k1, title={A {Study} of Things}, author={Diaz, Carla and Ruiz, Ana}, journal={J One}, year={2020}, doi={https://doi.org/10.7777/X.1}, keywords={alpha; beta, gamma}}
@inproceedings{k2, title={Conf paper}, author={Chen, Bo}, booktitle={Proc Two}, year={2021}}
@misc{k3, author={Nobody}}
`;

export const risFile = `TY  - JOUR
TI  - A Study of Things
AU  - Diaz, Carla
AU  - Ruiz, Ana
JO  - J One
PY  - 2020/05/01
DO  - doi:10.7777/X.1
KW  - alpha
KW  - beta
KW  - gamma
ER  - 
`;

export const cslFile = `[{"type":"article-journal","title":"A Study of Things","author":[{"family":"Diaz","given":"Carla"},{"family":"Ruiz","given":"Ana"}],
  "issued":{"date-parts":[[2020,5,1]]},"container-title":"J One","DOI":"10.7777/X.1","keyword":"alpha, beta, gamma"}]
`;

export const wosFile = `FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Diaz, C
   Ruiz, A
AF Diaz, Carla
   Ruiz, Ana
TI A Study of Things
SO J ONE
DE alpha; beta
ID gamma
C1 [Diaz, Carla; Ruiz, Ana] Uni North, Dept X, Rosario, Argentina.
CR Smith J, 1999, J TWO, V1, P1, DOI 10.5555/R2
   Doe J, 1980, OLD BOOK
TC 7
PY 2020
DI 10.7777/X.1
UT WOS:000123
ER

EF
`;

export const scopusFile = `Author full names,Title,Year,Source title,Cited by,DOI,EID
"Diaz, Carla (57); Ruiz, Ana (58)",A Study of Things,2020,J One,3,10.7777/X.1,2-s2.0-1
`;

export const medlineFile = `PMID- 31452104
DP  - 2020 May
TI  - A Study of Things
AID - 10.7777/x.1 [doi]
FAU - Diaz, Carla
FAU - Ruiz, Ana
MH  - Alpha
`;
