-- What is still wanted of whoever ordered a name whose documents are looked at.
alter table domain add column review_note text;
